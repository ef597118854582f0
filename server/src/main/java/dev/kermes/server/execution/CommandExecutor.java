package dev.kermes.server.execution;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.BlockedClients;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.client.TrackingMode;
import dev.kermes.server.client.Transaction;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Execution;
import dev.kermes.server.command.Permission;
import dev.kermes.server.config.MonitoringOptions;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Slice;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Restrictions;
import dev.kermes.server.persistence.LogRunner;
import dev.kermes.server.replication.Failover;
import dev.kermes.server.script.ScriptRun;
import dev.kermes.server.writelog.WriteLog;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs commands: finds them in the table, lets {@link CommandGuard} check them, and calls their
 * handlers. There is one per event loop; the caller of every method holds the keyspace lock.
 *
 * <pre>
 *   execute -> find -> run -> dispatch             nothing restricts this client or this server
 *           -> find -> check and run -> run ...    otherwise
 *
 *   check and run:   may this client do it?   a refusal ends it
 *                    make room in memory
 *                    does the server's state allow it?
 *                    queue it after MULTI, hold it back in a pause, or run it
 * </pre>
 *
 * <p>Commands whose work is bounded by their length are brief and share the time of their turn;
 * others are timed one by one.
 */
public final class CommandExecutor implements Execution {

  private static final Logger LOG = LoggerFactory.getLogger(CommandExecutor.class);

  private final Engine engine;
  private final WriteLog log;
  private final Restrictions restrictions;
  private final BlockedClients blockedClients;
  private final CommandTable table;
  private final RespWriter out;
  private final LongConsumer deadlines;
  private final Call call;
  private final CommandGuard guard;
  private final UnwantedReplies unwanted;
  private final ScriptRunner scripts;
  private final TransactionRunner transactions;
  private final BlockedCommands blocked;
  private long slowNanos;
  private long turnStart;
  private @Nullable RequestReader input;

  /** Whether the loop's thread runs commands: a suspended script may go on in another thread. */
  private boolean isInTurn;

  /** The value that has the array of the last turn's input. */
  private @Nullable RawString taken;

  private final SlotCounting slotCounting;
  private final boolean[] isBrief;
  private @Nullable CommandSpec last;

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
    restrictions = engine.keyspace().restrictions();
    blockedClients = engine.blockedClients();
    this.table = table;
    this.out = out;
    this.deadlines = deadlines;
    call = new Call(engine, this, out);
    Call queued = new Call(engine, this, out);
    guard = new CommandGuard(engine, queued);
    slotCounting = new SlotCounting(engine, guard);
    unwanted = new UnwantedReplies(out);
    scripts = new ScriptRunner(engine, this, slotCounting);
    transactions = new TransactionRunner(this, scripts, unwanted, queued);
    blocked = new BlockedCommands(engine, this, slotCounting);
    isBrief = new boolean[table.all().size()];
    for (CommandSpec spec : table.all()) isBrief[spec.id()] = spec.isBrief();
  }

  @Override
  public CommandTable table() {
    return table;
  }

  // Turns

  /** Begins a turn at the given time of the clock. */
  public void beginTurn(long nanos, RequestReader source) {
    slowNanos = 0;
    turnStart = nanos;
    if (taken != null) endTaking(taken);
    if (input != source) input = source;
    isInTurn = true;
  }

  @Override
  public @Nullable RawString takeInput(Slice part) {
    RequestReader source = input;
    if (source == null || source.bytes() != part.array()) return null;
    source.giveAway();
    taken = RawString.within(part);
    return taken;
  }

  /** The reader has left the array unless it has more commands in it or its client has gone. */
  private void endTaking(RawString value) {
    if (input != null && input.bytes() != value.head()) value.arrived();
    taken = null;
  }

  @Override
  public boolean isTaken(RawString string) {
    return taken == string;
  }

  @Override
  public boolean lendInput(Slice part) {
    RequestReader source = input;
    if (source == null || source.bytes() != part.array()) return false;
    source.giveAway();
    return true;
  }

  @Override
  public byte @Nullable [] takeSpare(int length) {
    return isInTurn && input != null ? input.spares().take(length) : null;
  }

  @Override
  public void spare(byte[] array) {
    if (isInTurn && input != null) input.spares().give(array);
  }

  /** Ends a turn at the given time of the clock. */
  public void endTurn(long nanos) {
    isInTurn = false;
    settleTimes(nanos);
    if (engine.tracking().isActive()) engine.tracking().endTurn();
  }

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

  // Commands

  /** Runs one command of a session and writes its reply. */
  public void execute(Session session, byte[] bytes, int[] slices, int first, int argc) {
    CommandSpec spec = table.find(bytes, slices[first], slices[first + 1]);
    if (spec != null && spec.hasSubcommands() && argc > 1) {
      CommandSpec sub = spec.sub(bytes, slices[first + 2], slices[first + 3]);
      if (sub != null) {
        spec = sub;
      } else {
        refuse(session, spec, CommandErrors.unknownSubcommand(spec, bytes, slices, first));
        return;
      }
    }
    if (spec == null && CommandErrors.isHttp(bytes, slices, first)) {
      engine
          .clients()
          .closings()
          .warn(session, "POST or Host: is HTTP, perhaps an attack by a web page");
      session.close();
    } else if (spec == null) {
      refuse(session, null, CommandErrors.unknownCommand(bytes, slices, first, argc));
    } else if (!spec.accepts(argc) || !spec.isCallable()) {
      engine.statistics().rejected(spec.id());
      refuse(session, spec, CommandErrors.wrongArity(spec));
    } else {
      call.session(session);
      call.load(spec, bytes, slices, first, argc);
      if (session.isRestricted() || !restrictions.isEmpty()) {
        checkAndRun(session, spec);
      } else {
        assert passesChecks();
        run(call, spec);
      }
    }
    if (!log.isEmpty()) endUnit(spec);
    if (blockedClients.hasReady()) blocked.serveReady();
  }

  /** Whether all checks would have let the call run, which is about to run without them. */
  private boolean passesChecks() {
    String objection = guard.objection(call);
    if (objection != null) throw new AssertionError(call.spec() + ": " + objection);
    return true;
  }

  /** Ends a unit, or independent ops if the command only deleted expired keys on its way. */
  private void endUnit(@Nullable CommandSpec spec) {
    if (spec != null && spec.has(CommandFlag.TOUCHES_ARBITRARY_KEYS)) log.endOps();
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
      refuse(session, null, CommandErrors.unknownCommand(bytes, slices, first, argc));
    } else if (!spec.accepts(argc) || !spec.isCallable()) {
      refuse(session, spec, CommandErrors.wrongArity(spec));
    } else if (transaction != null && spec.isQueued()) {
      transaction.add(StoredCommand.of(spec, bytes, slices, first, argc));
    } else {
      call.session(session);
      call.load(spec, bytes, slices, first, argc);
      boolean isPart = engine.keyspace().isReplaying(); // of a file that is being loaded
      engine.keyspace().replays(true);
      if (session.isMaster()) runCounted(spec);
      else dispatch(call, spec); // of a file
      engine.keyspace().replays(isPart);
      log.endUnit();
    }
    if (blockedClients.hasReady()) blocked.serveReady();
  }

  private void runCounted(CommandSpec spec) {
    slotCounting.beginReplayed(call);
    run(call, spec);
    slotCounting.endReplayed();
  }

  /** The command or subcommand that a call begins with; null if it is unknown. */
  @Nullable CommandSpec find(byte[] bytes, int[] slices, int first, int argc) {
    CommandSpec spec = table.find(bytes, slices[first], slices[first + 1]);
    return spec == null || !spec.hasSubcommands() || argc == 1
        ? spec
        : spec.sub(bytes, slices[first + 2], slices[first + 3]);
  }

  /** The full name of a parsed command, as in the table. */
  public String name(RequestReader reader, int command) {
    int first = reader.firstSlice(command);
    int argc = reader.argumentCount(command);
    CommandSpec spec = find(reader.bytes(), reader.slices(), first, argc);
    return spec == null ? "<unknown>" : spec.fullName();
  }

  // Commands that something restricts

  private void checkAndRun(Session session, CommandSpec spec) {
    boolean waitsForMaster = guard.isForNextMaster(call);
    Refusal refusal = waitsForMaster ? null : makeRoomAndCheck();
    if (session.tracking() != null) takeMessages(session); // about evicted keys
    int mark = out.size();
    if (waitsForMaster) {
      engine.pause().hold(session);
      return;
    }
    if (refusal != null) {
      engine.statistics().rejected(spec.id());
      refuse(session, spec, refusal.error());
      endAsking(session, spec);
      return;
    }
    Transaction transaction = session.transaction();
    if (transaction != null && spec.isQueued()) {
      slotCounting.begin(call, mark);
      queue(transaction);
    } else {
      engine.pause().endIfDue();
      if (guard.isHeldBack(call)) {
        engine.pause().hold(session);
        return;
      }
      slotCounting.begin(call, mark);
      run(call, spec);
    }
    slotCounting.end(call, out.size());
    unwanted.drop(session, spec, mark);
    endAsking(session, spec);
    TrackingMode tracking = session.tracking();
    boolean isCachingItself = spec.name().equals("CLIENT CACHING");
    if (tracking != null && session.transaction() == null && !isCachingItself) {
      tracking.cachesNext(false);
    }
    if (!session.subscriptions().isEmpty() || tracking != null) takeMessages(session);
  }

  /** Ends the effect of ASKING after the next command, or the next transaction. */
  private static void endAsking(Session session, CommandSpec spec) {
    if (!session.is(ClientMode.ASKS)) return;
    boolean isOver = session.transaction() == null && !spec.name().equals("ASKING");
    if (isOver) session.set(ClientMode.ASKS, false);
  }

  /** Makes all checks, and evicts clients and keys between those of the client and the server. */
  private @Nullable Refusal makeRoomAndCheck() {
    Refusal refusal = guard.checkClient(call);
    if (refusal != null) {
      logDenial(refusal.denial());
      return refusal;
    }
    if (engine.suspended() != null) return guard.checkBusy(call);
    engine.clients().evict(); // before keys are evicted because of them
    String noRoom = engine.eviction().makeRoomOrRefuse();
    return guard.checkState(call, noRoom, engine.fileError());
  }

  private void logDenial(@Nullable Denial denial) {
    if (denial == null) return;
    boolean isQueuing = call.session().transaction() != null;
    Permission.log(call, denial, isQueuing ? AclLog.Context.MULTI : AclLog.Context.TOPLEVEL);
  }

  private void queue(Transaction transaction) {
    transaction.add(call.storedCommand());
    if (call.spec().name().equals("SELECT")) Permission.follow(call, transaction);
    out.simple("QUEUED");
  }

  /**
   * Writes messages that a subscriber published to itself, after that reply, before the next one.
   */
  private void takeMessages(Session session) {
    for (byte[] m = session.output().poll(); m != null; m = session.output().poll()) out.raw(m);
  }

  private void refuse(Session session, @Nullable CommandSpec spec, String error) {
    int mark = out.size();
    Transaction transaction = session.transaction();
    if (transaction != null) transaction.fail();
    String shown = error;
    if (spec != null && CommandGuard.isExec(spec)) {
      session.endTransaction();
      String why = error.startsWith("ERR ") ? error.substring(4) : error;
      if (!CommandGuard.isRedirection(error)) {
        shown = "EXECABORT Transaction discarded because of: " + why;
      }
    }
    engine.statistics().error(shown);
    out.error(shown);
    unwanted.drop(session, spec, mark);
  }

  // Running a command that may run

  /** Runs a command, and notes how long it took unless it is brief. */
  void run(Call call, CommandSpec spec) {
    if (last != spec) last = spec;
    if (isBrief[spec.id()] && restrictions.isEmpty()) {
      engine.statistics().called(spec.id());
      dispatch(call, spec);
    } else {
      runTimed(call, spec);
    }
  }

  /** Runs a command, of a client or a script, and notes how long it took. */
  void runTimed(Call call, CommandSpec spec) {
    boolean isObserved = !restrictions.isEmpty();
    if (isObserved) CommandMonitoring.begin(call);
    long replyLength = call.reply().length();
    long slowBefore = slowNanos;
    long start = engine.keyspace().clock().nanos();
    dispatch(call, spec);
    long elapsed = engine.keyspace().clock().nanos() - start;
    slowNanos = slowBefore + elapsed; // the elapsed time contains nested commands
    if (call.isUnfinished()) return;
    tookTime(call, elapsed);
    if (isObserved) CommandMonitoring.end(call, elapsed, call.reply().length() - replyLength);
  }

  private void tookTime(Call call, long elapsed) {
    MonitoringOptions limits = engine.settings().monitoringOptions();
    engine.statistics().took(call.spec().id(), 1, elapsed, limits.tracksLatency.isOn());
    if (isOutermost(call)) slotCounting.took(elapsed);
    boolean isBlocked = call.session().blocked() != null; // it is logged at the end of its wait
    if (limits.isSlow(elapsed) && !isBlocked) CommandMonitoring.logSlow(call, elapsed);
  }

  /** Calls the handler of a command. */
  void dispatch(Call call, CommandSpec spec) {
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
    if (log.isRead()) call.log().end(engine.keyspace().dirty() != dirty);
    if (call.failed()) engine.statistics().failed(spec.id());
  }

  // Commands that run others, or continue after their turn

  @Override
  public boolean isOutermost(Call running) {
    return running == call;
  }

  @Override
  public void runTransaction(Call exec, List<StoredCommand> commands) {
    transactions.run(exec, commands);
    last = exec.spec();
  }

  /** Runs commands; if a script among them is suspended, the rest waits for it. */
  void runAll(Call each, List<StoredCommand> commands) {
    transactions.runAll(each, commands);
  }

  @Override
  public void runScript(Call call, ScriptRun run) {
    scripts.start(call, run);
  }

  @Override
  public LogRunner newLogRunner() {
    return new LogReplay(engine, table);
  }

  @Override
  public void finishedLate(Call script, long elapsed) {
    script.settleMemory();
    if (script.failed()) engine.statistics().failed(script.spec().id());
    tookTime(script, elapsed);
    if (!restrictions.isEmpty()) CommandMonitoring.end(script, elapsed, script.reply().length());
  }

  @Override
  public void endLate(Session client, byte[] reply) {
    blocked.endUnit(client);
    client.output().endLateReply(reply);
    if (blockedClients.hasReady()) blocked.serveReady();
  }

  // Blocked clients

  @Override
  public void deadlineAdded(long nanos) {
    if (nanos != Long.MAX_VALUE) deadlines.accept(nanos);
  }

  /** Ends overdue waits, and serves clients that are due. */
  public void endOverdueWaits() {
    blocked.endOverdue();
  }

  @Override
  public void endWait(BlockedClient client, @Nullable String error) {
    blocked.endWait(client, error);
  }

  @Override
  public void unblockAll() {
    blocked.unblockAll();
  }

  /** Ends waits for keys that another node of the cluster serves now. */
  public void redirectBlocked() {
    blocked.redirect();
  }

  @Override
  public void handOverIfDue() {
    Failover failover = engine.replication().failover();
    if (!failover.isDue()) return;
    blocked.serveReady(); // WAIT is satisfied now
    failover.handOver();
  }
}
