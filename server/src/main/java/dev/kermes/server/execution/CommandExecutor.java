package dev.kermes.server.execution;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.resp.ByteText;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.BlockedClients;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.client.TrackingMode;
import dev.kermes.server.client.Transaction;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Execution;
import dev.kermes.server.command.Permission;
import dev.kermes.server.command.keys.KeyCommands;
import dev.kermes.server.command.scripting.ScriptingCommands;
import dev.kermes.server.config.MonitoringOptions;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.engine.SuspendedScript;
import dev.kermes.server.keyspace.Loading;
import dev.kermes.server.persistence.LogRunner;
import dev.kermes.server.replication.Failover;
import dev.kermes.server.replication.Replication;
import dev.kermes.server.script.ScriptRun;
import dev.kermes.server.writelog.WriteLog;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs commands: finds them in the table, makes Redis's checks in Redis's order, and calls their
 * handlers. There is one per event loop; the caller of every method holds the keyspace lock.
 *
 * <p>Commands whose work is bounded by their length are brief and share the time of their turn;
 * others are timed one by one.
 */
public final class CommandExecutor implements Execution {

  private static final Logger LOG = LoggerFactory.getLogger(CommandExecutor.class);

  /** Bytes of an unknown command's name and arguments that an error shows. */
  private static final int SHOWN_LENGTH_MAX = 128;

  private static final String REDIRECT = "REDIRECT ";

  private static final String UNBLOCKED =
      "UNBLOCKED force unblock from blocking operation, instance state changed"
          + " (master -> replica?)";

  private final Engine engine;
  private final WriteLog log;
  private final CommandTable table;
  private final RespWriter out;
  private final LongConsumer deadlines;
  private final Call call;
  private final Call nested;
  private final RespWriter aside = new RespWriter(256);
  private final Call asideCall;
  private final ScriptRunner scripts;
  private long slowNanos;
  private long turnStart;
  private @Nullable RequestReader input;
  private final boolean[] isBrief;
  private @Nullable CommandSpec last;

  /**
   * Whether EXEC itself has dropped the replies that the client does not want, since a command
   * inside may have changed that setting.
   */
  private boolean repliesSettled;

  /**
   * Creates an executor.
   *
   * @param out the writer of replies
   * @param deadlines receives every deadline of a client that blocks, in nanoseconds of the clock
   */
  public CommandExecutor(
      Engine engine, CommandTable table, RespWriter out, LongConsumer deadlines) {
    this.engine = engine;
    log = engine.keyspace().log();
    this.table = table;
    this.out = out;
    this.deadlines = deadlines;
    call = new Call(engine, this, out);
    nested = new Call(engine, this, out);
    asideCall = new Call(engine, this, aside);
    scripts = new ScriptRunner(engine, this);
    isBrief = new boolean[table.all().size()];
    for (CommandSpec spec : table.all()) {
      boolean hasManyReceivers = spec.name().endsWith("PUBLISH"); // fast in Redis's table
      isBrief[spec.id()] = (spec.isFast() || spec.name().equals("SET")) && !hasManyReceivers;
    }
  }

  @Override
  public CommandTable table() {
    return table;
  }

  @Override
  public void deadlineAdded(long nanos) {
    if (nanos != Long.MAX_VALUE) deadlines.accept(nanos);
  }

  /** Begins a turn at the given time of the clock. */
  public void beginTurn(long nanos, RequestReader source) {
    slowNanos = 0;
    turnStart = nanos;
    if (input != source) input = source;
  }

  /** Takes an array away from the input of this turn; false if it is not that input's array. */
  @Override
  public boolean takeInput(byte[] array) {
    RequestReader source = input;
    if (source == null || source.bytes() != array) return false;
    source.giveAway();
    return true;
  }

  /** Ends a turn at the given time of the clock. */
  public void endTurn(long nanos) {
    settleTimes(nanos);
    if (engine.tracking().isActive()) engine.tracking().endTurn();
  }

  /** Divides the time of the turn so far among its brief commands. */
  @Override
  public void settleTimes() {
    settleTimes(engine.keyspace().clock().nanos());
  }

  private void settleTimes(long now) {
    boolean keepsDurations = engine.settings().monitoringOptions().tracksLatency.isOn();
    engine.statistics().endTurn(now - turnStart - slowNanos, keepsDurations);
    turnStart = now;
  }

  /** The time of this turn's commands that are not brief. */
  public long slowNanos() {
    return slowNanos;
  }

  /** The name of the command that ran last, for CLIENT LIST. */
  public String lastCommand() {
    return last == null ? "NULL" : last.fullName();
  }

  /** The full name of a parsed command, as in the table. */
  public String name(RequestReader reader, int command) {
    int first = reader.firstSlice(command);
    int argc = reader.argumentCount(command);
    CommandSpec spec = find(reader.bytes(), reader.slices(), first, argc);
    return spec == null ? "<unknown>" : spec.fullName();
  }

  /** Runs one command of a session and writes its reply. */
  public void execute(Session session, byte[] bytes, int[] slices, int first, int argc) {
    CommandSpec spec = table.find(bytes, slices[first], slices[first + 1]);
    if (spec != null && spec.hasSubcommands() && argc > 1) {
      CommandSpec sub = spec.sub(bytes, slices[first + 2], slices[first + 3]);
      if (sub != null) {
        spec = sub;
      } else {
        refuse(session, spec, unknownSubcommand(spec, bytes, slices, first));
        return;
      }
    }
    if (spec == null && isOfAnotherProtocol(bytes, slices, first)) {
      engine
          .clients()
          .closings()
          .warn(session, "POST or Host: is HTTP, perhaps an attack by a web page");
      session.close();
    } else if (spec == null) {
      refuse(session, null, unknownCommand(bytes, slices, first, argc));
    } else if (!spec.accepts(argc) || !spec.isCallable()) {
      engine.statistics().rejected(spec.id());
      String name = spec.fullName();
      refuse(session, spec, "ERR wrong number of arguments for '" + name + "' command");
    } else {
      call.session(session);
      call.load(spec, bytes, slices, first, argc);
      if (session.isPlain() && engine.isPlain()) run(call, spec);
      else runUnlessForbidden(session, spec, bytes, slices, first, argc);
    }
    if (!log.isEmpty()) endUnit(spec);
    if (engine.blockedClients().hasReady()) serveReady();
  }

  /** Ends a unit, or independent ops if the command only deleted expired keys on its way. */
  private void endUnit(@Nullable CommandSpec spec) {
    if (spec != null && spec.flags().contains(CommandFlag.TOUCHES_ARBITRARY_KEYS)) log.endOps();
    else log.endUnit();
  }

  /**
   * Runs a command of a write log, of a file or of the master, without the checks that were made at
   * its first run.
   */
  public void replay(Session session, byte[] bytes, int[] slices, int first, int argc) {
    CommandSpec spec = find(bytes, slices, first, argc);
    Transaction transaction = session.transaction();
    if (spec == null) {
      refuse(session, null, unknownCommand(bytes, slices, first, argc));
    } else if (!spec.accepts(argc) || !spec.isCallable()) {
      refuse(session, spec, "ERR wrong number of arguments for '" + spec.fullName() + "' command");
    } else if (transaction != null && !runsInsideMulti(spec)) {
      transaction.add(StoredCommand.of(spec, bytes, slices, first, argc));
    } else {
      call.session(session);
      call.load(spec, bytes, slices, first, argc);
      boolean isPart = engine.keyspace().isReplaying(); // of a file that is being loaded
      engine.keyspace().replays(true);
      if (session.isMaster()) run(call, spec); // counted; a file's is not
      else dispatch(call, spec);
      engine.keyspace().replays(isPart);
      log.endUnit();
    }
    if (engine.blockedClients().hasReady()) serveReady();
  }

  /** The command or subcommand that a call begins with; null if it is unknown. */
  @Nullable CommandSpec find(byte[] bytes, int[] slices, int first, int argc) {
    CommandSpec spec = table.find(bytes, slices[first], slices[first + 1]);
    return spec == null || !spec.hasSubcommands() || argc == 1
        ? spec
        : spec.sub(bytes, slices[first + 2], slices[first + 3]);
  }

  private void runUnlessForbidden(
      Session session, CommandSpec spec, byte[] bytes, int[] slices, int first, int argc) {
    boolean waitsForMaster = isForMaster(session, spec) && isHandingOver();
    String forbidden = waitsForMaster ? null : whyForbidden(session, spec);
    if (session.tracking() != null) takeMessages(session); // about evicted keys
    int mark = out.size();
    Transaction transaction = session.transaction();
    if (waitsForMaster) {
      engine.pause().hold(session);
      return;
    } else if (forbidden != null) {
      engine.statistics().rejected(spec.id());
      refuse(session, spec, forbidden);
      return;
    } else if (transaction != null && !runsInsideMulti(spec)) {
      transaction.add(StoredCommand.of(spec, bytes, slices, first, argc));
      if (spec.name().equals("SELECT")) Permission.follow(call, transaction);
      out.simple("QUEUED");
    } else if (mustWait(call)) {
      engine.pause().hold(session);
      return;
    } else {
      run(call, spec);
    }
    dropReplyIfUnwanted(session, spec, mark);
    TrackingMode tracking = session.tracking();
    if (tracking != null
        && session.transaction() == null
        && !spec.name().equals("CLIENT CACHING")) {
      tracking.cachesNext(false);
    }
    if (session.isSubscriber() || tracking != null) takeMessages(session);
  }

  /**
   * Writes messages that a subscriber published to itself, after that reply, before the next one.
   */
  private void takeMessages(Session session) {
    for (byte[] m = session.pollMessage(); m != null; m = session.pollMessage()) out.raw(m);
  }

  private @Nullable String whyForbidden(Session session, CommandSpec spec) {
    if (!session.isAuthenticated() && !spec.noAuth()) return "NOAUTH Authentication required.";
    Denial denial = Permission.denial(call);
    if (denial != null) {
      boolean isQueuing = session.transaction() != null;
      Permission.log(call, denial, isQueuing ? AclLog.Context.MULTI : AclLog.Context.TOPLEVEL);
      return denial.error(call.client().user().name(), spec);
    }
    Replication.Address master = engine.replication().master();
    if (master != null && isForMaster(session, spec)) return redirection(master);
    if (session.isReplica() && isAboutKeys(spec)) {
      return "ERR Replica can't interact with the keyspace";
    }
    if (engine.suspended() != null) {
      return spec.allowsBusy() ? null : engine.suspended().run().busyError();
    }
    engine.clients().evict(); // before keys are evicted because of them
    String noRoom = engine.eviction().whyNoRoom();
    if (noRoom != null && needsMemory(session, spec)) return noRoom;
    String noWrites = engine.replication().whyNoWrites();
    if (noWrites != null && changesData(session, spec)) return noWrites;
    String misconfigured = whyWritesAreRefused();
    if (misconfigured != null && (changesData(session, spec) || spec.name().equals("PING"))) {
      return misconfigured;
    }
    if (session.transaction() != null && spec.noMulti()) {
      return "ERR Command not allowed inside a transaction";
    }
    if (session.protocol() == 2 && session.isSubscriber() && !isAllowedToSubscribers(spec)) {
      return "ERR Can't execute '"
          + spec.fullName()
          + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this"
          + " context";
    }
    if (engine.replication().isStale() && lacks(session, spec, CommandFlag.STALE)) {
      return "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
    }
    return isTooEarly(session, spec) ? Loading.ERROR : null;
  }

  /** Whether a command is refused until the data are loaded. */
  private boolean isTooEarly(Session session, CommandSpec spec) {
    Loading loading = engine.keyspace().loading();
    if (loading.isOn()) return lacks(session, spec, CommandFlag.LOADING);
    return loading.isUnderWay()
        && isOrExecutes(session, spec, each -> each.has(CommandFlag.NO_ASYNC_LOADING));
  }

  /** The error of the files for the writes, or null. */
  @Override
  public @Nullable String whyWritesAreRefused() {
    String error = engine.appendOnly().error();
    if (error != null) return "MISCONF Errors writing to the AOF file: " + error;
    if (!engine.persistence().refusesWrites()) return null;
    return "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist"
        + " to disk. Commands that may modify the data set are disabled, because this instance is"
        + " configured to report errors during writes if RDB snapshotting fails"
        + " (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the"
        + " RDB error.";
  }

  /** Whether a replica redirects a command to its master. */
  private static boolean isForMaster(Session session, CommandSpec spec) {
    if (!session.knowsRedirects()) return false;
    boolean readsHere = session.readsReplicas();
    return isOrExecutes(
        session,
        spec,
        each -> each.isWrite() || !readsHere && each.flags().contains(CommandFlag.READONLY));
  }

  private static String redirection(Replication.Address master) {
    return REDIRECT + master.host() + ":" + master.port();
  }

  /** Whether this server already is a replica, while its new master is not a master yet. */
  private boolean isHandingOver() {
    return engine.replication().failover().isHandingOver();
  }

  private static boolean isAboutKeys(CommandSpec spec) {
    return spec.isWrite() || spec.mayReplicate() || spec.has(CommandFlag.READONLY);
  }

  /** Whether a command needs free memory; queueing in a transaction always does. */
  private static boolean needsMemory(Session session, CommandSpec spec) {
    if (session.transaction() != null && !runsInsideMulti(spec)) return true;
    return isOrExecutes(session, spec, each -> each.flags().contains(CommandFlag.DENYOOM));
  }

  private static boolean lacks(Session session, CommandSpec spec, CommandFlag flag) {
    return isOrExecutes(session, spec, each -> !each.has(flag));
  }

  private static boolean changesData(Session session, CommandSpec spec) {
    return isOrExecutes(session, spec, CommandSpec::isWrite);
  }

  /** Whether a property holds for a command, or for one that EXEC would run. */
  private static boolean isOrExecutes(
      Session session, CommandSpec spec, Predicate<CommandSpec> property) {
    Transaction transaction = session.transaction();
    if (transaction == null || !spec.name().equals("EXEC")) return property.test(spec);
    return transaction.commands().stream().anyMatch(queued -> property.test(queued.spec()));
  }

  private static boolean isAllowedToSubscribers(CommandSpec spec) {
    return switch (spec.name()) {
      case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE" ->
          true;
      case "PING", "QUIT", "RESET" -> true;
      default -> false;
    };
  }

  private static boolean runsInsideMulti(CommandSpec spec) {
    return switch (spec.name()) {
      case "EXEC", "DISCARD", "MULTI", "WATCH", "QUIT", "RESET" -> true;
      default -> false;
    };
  }

  private boolean mustWait(Call each) {
    Pause pause = engine.pause();
    pause.endIfDue();
    if (!pause.isOn()) return pause.isBehindOthers(each.session());
    if (pause.holdsAll()) return true;
    Transaction transaction = each.session().transaction();
    if (transaction == null || !each.spec().name().equals("EXEC")) return writes(each);
    nested.session(each.session());
    return transaction.commands().stream()
        .anyMatch(queued -> {
          nested.load(queued.spec(), queued.bytes(), queued.slices(), 0, queued.argumentCount());
          return writes(nested);
        });
  }

  /** Whether a pause of writes holds back a command, since it reaches replicas. */
  private static boolean writes(Call each) {
    CommandSpec spec = each.spec();
    return (spec.isWrite() || spec.mayReplicate()) && !ScriptingCommands.isMarkedReadOnly(each);
  }

  private void dropReplyIfUnwanted(Session session, @Nullable CommandSpec spec, int mark) {
    // A subscription is confirmed by a message, not by a reply.
    if (spec != null && spec.name().endsWith("SUBSCRIBE")) return;
    if (repliesSettled) {
      repliesSettled = false;
      return;
    }
    switch (session.replies()) {
      case ON -> {}
      case OFF -> out.truncate(mark);
      case SKIP -> {
        if (spec != null && spec.fullName().equals("client|reply")) return;
        out.truncate(mark);
        session.replies(Session.Replies.ON);
      }
    }
  }

  private void run(Call call, CommandSpec spec) {
    if (last != spec) last = spec;
    if (isBrief[spec.id()] && engine.isPlain()) {
      engine.statistics().called(spec.id());
      dispatch(call, spec);
    } else {
      runTimed(call, spec);
    }
  }

  /** Runs a command, of a client or a script, and notes how long it took. */
  void runTimed(Call call, CommandSpec spec) {
    boolean isPlain = engine.isPlain();
    if (!isPlain) CommandMonitoring.begin(call);
    long replyLength = call.reply().length();
    long slowBefore = slowNanos;
    long start = engine.keyspace().clock().nanos();
    dispatch(call, spec);
    long elapsed = engine.keyspace().clock().nanos() - start;
    slowNanos = slowBefore + elapsed; // the elapsed time contains nested commands
    if (call.isUnfinished()) return;
    tookTime(call, elapsed);
    if (!isPlain) CommandMonitoring.end(call, elapsed, call.reply().length() - replyLength);
  }

  private void tookTime(Call call, long elapsed) {
    MonitoringOptions limits = engine.settings().monitoringOptions();
    engine.statistics().took(call.spec().id(), 1, elapsed, limits.tracksLatency.isOn());
    boolean isBlocked = call.session().blocked() != null; // it is logged at the end of its wait
    if (limits.isSlow(elapsed) && !isBlocked) CommandMonitoring.logSlow(call, elapsed);
  }

  /** Notes the end of a suspended script, after its reply has been written. */
  @Override
  public void finishedLate(Call script, long elapsed) {
    script.settleMemory();
    if (script.failed()) engine.statistics().failed(script.spec().id());
    tookTime(script, elapsed);
    if (!engine.isPlain()) CommandMonitoring.end(script, elapsed, script.reply().length());
  }

  private void dispatch(Call call, CommandSpec spec) {
    RespWriter reply = call.reply();
    int mark = reply.size();
    long dirty = engine.keyspace().dirty();
    try {
      CommandDispatch.execute(spec.id(), call);
    } catch (OutOfMemoryError e) {
      LOG.warn("out of memory: command={}, {}", spec.fullName(), e.getMessage());
      reply.truncate(mark);
      call.ranOutOfMemory();
    } catch (RuntimeException | StackOverflowError e) {
      LOG.error("internal error: command={}", spec.fullName(), e);
      engine.statistics().unexpectedErrors++;
      reply.truncate(mark);
      call.error("ERR internal error: " + e.getClass().getSimpleName());
    }
    call.settleMemory();
    if (log.isRead()) call.log(engine.keyspace().dirty() != dirty);
    if (call.failed()) engine.statistics().failed(spec.id());
  }

  // Refusals

  private void refuse(Session session, @Nullable CommandSpec spec, String error) {
    int mark = out.size();
    Transaction transaction = session.transaction();
    if (transaction != null) transaction.fail();
    String shown = error;
    if (spec != null && spec.name().equals("EXEC")) {
      session.endTransaction();
      String why = error.startsWith("ERR ") ? error.substring(4) : error;
      if (!error.startsWith(REDIRECT)) {
        shown = "EXECABORT Transaction discarded because of: " + why;
      }
    }
    engine.statistics().error(shown);
    out.error(shown);
    dropReplyIfUnwanted(session, spec, mark);
  }

  /** Whether the input is an HTTP request, which a web page may have made a browser send. */
  private static boolean isOfAnotherProtocol(byte[] bytes, int[] slices, int first) {
    String name = shown(bytes, slices, first);
    return name.equalsIgnoreCase("POST") || name.equalsIgnoreCase("Host:");
  }

  private static String unknownCommand(byte[] bytes, int[] slices, int first, int argc) {
    StringBuilder text = new StringBuilder("ERR unknown command '");
    text.append(shown(bytes, slices, first)).append("', with args beginning with: ");
    int start = text.length();
    for (int i = 1; i < argc && text.length() - start < SHOWN_LENGTH_MAX; i++) {
      int room = SHOWN_LENGTH_MAX - (text.length() - start);
      text.append('\'').append(shown(bytes, slices, first + 2 * i, room)).append("' ");
    }
    return text.toString();
  }

  private static String unknownSubcommand(CommandSpec spec, byte[] bytes, int[] slices, int first) {
    return "ERR unknown subcommand '"
        + shown(bytes, slices, first + 2)
        + "'. Try "
        + spec.name()
        + " HELP.";
  }

  private static String shown(byte[] bytes, int[] slices, int slice) {
    return shown(bytes, slices, slice, SHOWN_LENGTH_MAX);
  }

  private static String shown(byte[] bytes, int[] slices, int slice, int lengthMax) {
    int offset = slices[slice];
    int end = offset + Math.min(slices[slice + 1], lengthMax);
    int length = 0;
    while (offset + length < end && bytes[offset + length] != 0) length++; // as C prints it
    return ByteText.of(bytes, offset, length);
  }

  // Transactions

  /** Whether a call is a command that a client sent, as opposed to one run on its behalf. */
  @Override
  public boolean isOutermost(Call running) {
    return running == call;
  }

  /** Runs the queued commands of EXEC, each with its reply. */
  @Override
  public void runTransaction(Call exec, List<StoredCommand> commands) {
    Session session = exec.session();
    nested.session(session);
    nested.partOf(exec.spec());
    boolean isSkipped = session.replies() == Session.Replies.SKIP;
    if (session.replies() != Session.Replies.OFF) exec.reply().array(commands.size());
    runAll(nested, commands);
    repliesSettled = !isSkipped && session.replies() != Session.Replies.ON;
    last = exec.spec();
  }

  @Override
  public void runScript(Call call, ScriptRun run) {
    scripts.start(call, run);
  }

  @Override
  public LogRunner newLogRunner() {
    return new LogReplay(engine, table);
  }

  /** Runs commands; if a script among them is suspended, the rest waits for it. */
  void runAll(Call each, List<StoredCommand> commands) {
    for (int i = 0; i < commands.size(); i++) {
      StoredCommand command = commands.get(i);
      each.load(command.spec(), command.bytes(), command.slices(), 0, command.argumentCount());
      Denial denial = Permission.denial(each);
      if (denial != null) {
        Permission.log(each, denial, AclLog.Context.MULTI);
        each.error(denial.errorInTransaction());
        continue;
      }
      int mark = each.reply().size();
      run(each, command.spec());
      if (each.session().replies() == Session.Replies.OFF) each.reply().truncate(mark);
      if (each.isUnfinished()) {
        scripts.runAfterwards(commands.subList(i + 1, commands.size()));
        return;
      }
    }
  }

  // Blocked clients

  /** Runs the commands of clients whose keys got values, until no key is ready. */
  void serveReady() {
    if (engine.suspended() != null) return;
    BlockedClients blockedClients = engine.blockedClients();
    engine.keyspace().readClock(); // a key may have expired in the transaction that made it ready
    for (BlockedClients.ReadyKey key = blockedClients.pollReady();
        key != null;
        key = blockedClients.pollReady()) {
      for (BlockedClient blocked : blockedClients.clientsOf(key)) {
        Object slot = key.database().lookup(key.key().bytes());
        boolean isServed = blocked.wakesWithoutValue() || slot != null && isAwaited(blocked, slot);
        if (isServed && blocked.session().blocked() == blocked) retry(blocked);
      }
    }
    for (BlockedClient blocked : blockedClients.pollAcknowledged()) retry(blocked);
    log.endUnit(); // expired keys
  }

  /** Whether a value has the type that a blocked client's command expects. */
  private static boolean isAwaited(BlockedClient blocked, Object slot) {
    String type = KeyCommands.typeOf(slot);
    return switch (blocked.command().spec().group()) {
      case "list" -> type.equals("list");
      case "sorted-set" -> type.equals("zset");
      case "stream" -> type.equals("stream");
      default -> true;
    };
  }

  private void retry(BlockedClient blocked) {
    Session session = blocked.session();
    StoredCommand command = blocked.command();
    aside.clear(4096);
    aside.protocol(session.protocol());
    asideCall.session(session);
    asideCall.load(command.spec(), command.bytes(), command.slices(), 0, command.argumentCount());
    Denial denial = Permission.denial(asideCall); // rules may have changed in the meantime
    if (denial != null) {
      Permission.log(asideCall, denial, AclLog.Context.TOPLEVEL);
      endWait(blocked, denial.error(session.user().name(), command.spec()));
      return;
    }
    asideCall.retry(blocked);
    engine.clients().current(session);
    session.hold();
    long start = engine.keyspace().clock().nanos();
    dispatch(asideCall, command.spec());
    endUnit(session);
    long elapsed = engine.keyspace().clock().nanos() - start;
    boolean isServed = !asideCall.isStillBlocked();
    if (isServed) {
      engine.blockedClients().remove(blocked);
      if (engine.settings().monitoringOptions().isSlow(elapsed))
        CommandMonitoring.logSlow(asideCall, elapsed);
      CommandMonitoring.countKeys(asideCall, elapsed, aside.length());
    }
    session.release(isServed ? aside.toByteArray() : null);
  }

  /** Logs the effects for a client, whose reply is sent once the append only file has them. */
  private void endUnit(Session client) {
    long before = engine.appendOnly().place();
    log.endUnit();
    client.noteLogged(before, engine.appendOnly().place());
  }

  /** Completes a command that continued after its turn: logs its effects, then sends the reply. */
  @Override
  public void endLate(Session client, byte[] reply) {
    endUnit(client);
    client.endLateReply(reply);
    if (engine.blockedClients().hasReady()) serveReady();
  }

  /** Ends overdue waits, and serves clients that are due. */
  public void endOverdueWaits() {
    SuspendedScript script = engine.suspended();
    if (script != null) {
      script.goOn().run();
      return;
    }
    BlockedClients blockedClients = engine.blockedClients();
    long now = engine.keyspace().clock().nanos();
    for (BlockedClient due = blockedClients.pollDue(now);
        due != null;
        due = blockedClients.pollDue(now)) {
      if (due.keys().isEmpty()) retry(due); // its reply contains the number of replicas
      else endWait(due, null);
    }
    for (BlockedClient due = blockedClients.pollAlarm(now);
        due != null;
        due = blockedClients.pollAlarm(now)) {
      retry(due);
    }
    if (blockedClients.hasReady()) serveReady();
  }

  /** Hands over to a replica if a failover is due. */
  @Override
  public void lookAtFailover() {
    Failover failover = engine.replication().failover();
    if (!failover.isDue()) return;
    serveReady(); // WAIT is satisfied now
    failover.handOver();
  }

  /** Ends waits after another server has become the master, which now changes the data. */
  @Override
  public void unblockAll() {
    Replication.Address master = engine.replication().master();
    if (master == null) return;
    for (Session session : engine.clients().sessions()) {
      BlockedClient blocked = session.blocked();
      if (blocked == null) continue;
      String error = waitsForKeysOfMaster(session) ? redirect(session, master) : UNBLOCKED;
      if (error != null) endWait(blocked, error);
    }
  }

  /** The server where a blocked client finds its keys; null if it is this one. */
  private static @Nullable String redirect(Session session, Replication.Address master) {
    BlockedClient blocked = session.blocked();
    boolean isElsewhere = blocked != null && isForMaster(session, blocked.command().spec());
    return isElsewhere ? redirection(master) : null;
  }

  /** Whether a blocked client waits for keys and handles redirects. */
  private static boolean waitsForKeysOfMaster(Session session) {
    BlockedClient blocked = session.blocked();
    return blocked != null && session.knowsRedirects() && isAboutKeys(blocked.command().spec());
  }

  /** Ends a wait early: with the reply of a timeout, or an error. */
  @Override
  public void endWait(BlockedClient blocked, @Nullable String error) {
    Session session = blocked.session();
    engine.blockedClients().remove(blocked);
    aside.clear(4096);
    aside.protocol(session.protocol());
    if (error == null) {
      Call.replyTimeout(aside, blocked.nilArrayOnTimeout());
    } else {
      engine.statistics().error(error);
      engine.statistics().failed(blocked.command().spec().id());
      aside.error(error);
    }
    session.send(aside.toByteArray());
  }
}
