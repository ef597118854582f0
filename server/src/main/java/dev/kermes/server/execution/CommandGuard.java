package dev.kermes.server.execution;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.client.Transaction;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Permission;
import dev.kermes.server.command.scripting.ScriptingCommands;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.engine.SuspendedScript;
import dev.kermes.server.keyspace.Loading;
import dev.kermes.server.replication.Replication;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a command of a client may run: Redis's checks in Redis's order. A check changes
 * nothing; {@link CommandExecutor} acts on the result. The caller of every method holds the
 * keyspace lock.
 */
final class CommandGuard {

  private static final String REDIRECT = "REDIRECT ";

  private final Engine engine;
  private final Replication replication;

  /** Shows one queued command at a time. */
  private final Call queued;

  private final SlotCheck slots;

  CommandGuard(Engine engine, Call scratch) {
    this.engine = engine;
    replication = engine.replication();
    queued = scratch;
    slots = new SlotCheck(engine, scratch);
  }

  // Refusals

  /** Checks what the client may do, and whether its command belongs to this server at all. */
  @Nullable Refusal checkClient(Call call) {
    Session session = call.session();
    CommandSpec spec = call.spec();
    if (!session.isAuthenticated() && !spec.noAuth()) {
      return Refusal.of("NOAUTH Authentication required.");
    }
    Denial denial = Permission.denial(call);
    if (denial != null) {
      return new Refusal(denial.error(call.client().user().name(), spec), denial);
    }
    if (engine.cluster() != null) {
      String elsewhere = slots.error(call);
      if (elsewhere != null) return Refusal.of(elsewhere);
    } else {
      Replication.Address master = replication.master();
      if (master != null && isForMaster(session, spec)) return Refusal.of(redirection(master));
    }
    boolean isLinkToReplica = session.isReplica();
    return isLinkToReplica && isAboutKeys(spec)
        ? Refusal.of("ERR Replica can't interact with the keyspace")
        : null;
  }

  /** The slot of the keys of the command that was checked last; -1 if it had none. */
  int slot() {
    return slots.slot();
  }

  /** The slot of the keys of a command that is not checked; -1 if it has none. */
  int slotOf(Call call) {
    return slots.slotOf(call);
  }

  /** The error of a command while a script takes too long; null if the command may run anyway. */
  @Nullable Refusal checkBusy(Call call) {
    SuspendedScript script = engine.suspended();
    if (script == null || call.spec().allowsBusy()) return null;
    return Refusal.of(script.run().busyError());
  }

  /**
   * Checks the state of the server, and of the connection.
   *
   * @param noRoom the error for commands that need memory; null if there is enough
   * @param fileError the error for writes; null if the files can be written
   */
  @Nullable Refusal checkState(Call call, @Nullable String noRoom, @Nullable String fileError) {
    Session session = call.session();
    CommandSpec spec = call.spec();
    if (noRoom != null && needsMemory(session, spec)) return Refusal.of(noRoom);
    String noWrites = replication.whyNoWrites();
    if (noWrites != null && changesData(session, spec)) return Refusal.of(noWrites);
    boolean tellsFileError = spec.name().equals("PING"); // so that monitoring notices it
    if (fileError != null && (tellsFileError || changesData(session, spec))) {
      return Refusal.of(fileError);
    }
    return Refusal.ofNullable(contextError(session, spec));
  }

  private @Nullable String contextError(Session session, CommandSpec spec) {
    if (session.transaction() != null && spec.noMulti()) {
      return "ERR Command not allowed inside a transaction";
    }
    if (session.protocol() == 2
        && !session.subscriptions().isEmpty()
        && !spec.has(CommandFlag.SUBSCRIBER)) {
      return "ERR Can't execute '"
          + spec.fullName()
          + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this"
          + " context";
    }
    if (replication.isStale() && lacks(session, spec, CommandFlag.STALE)) {
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

  /** Whether a command needs free memory; queueing in a transaction always does. */
  private static boolean needsMemory(Session session, CommandSpec spec) {
    if (session.transaction() != null && spec.isQueued()) return true;
    return isOrExecutes(session, spec, CommandSpec::isDenyOom);
  }

  private static boolean lacks(Session session, CommandSpec spec, CommandFlag flag) {
    return isOrExecutes(session, spec, each -> !each.has(flag));
  }

  static boolean changesData(Session session, CommandSpec spec) {
    return isOrExecutes(session, spec, CommandSpec::isWrite);
  }

  /** Whether a property holds for a command, or for one that EXEC would run. */
  private static boolean isOrExecutes(
      Session session, CommandSpec spec, Predicate<CommandSpec> property) {
    Transaction transaction = session.transaction();
    if (transaction == null || !isExec(spec)) return property.test(spec);
    for (StoredCommand each : transaction.commands()) {
      if (property.test(each.spec())) return true;
    }
    return false;
  }

  static boolean isExec(CommandSpec spec) {
    return spec.name().equals("EXEC");
  }

  // Commands that another server should get

  /**
   * Whether a command waits until the replica that takes over is the master. In a cluster all
   * writes wait, since this node, which is a replica already, owns the slots until then.
   */
  boolean isForNextMaster(Call call) {
    if (!replication.failover().isHandingOver()) return false;
    Session session = call.session();
    CommandSpec spec = call.spec();
    return isForMaster(session, spec) || engine.cluster() != null && changesData(session, spec);
  }

  /** Whether a replica redirects a command to its master. */
  static boolean isForMaster(Session session, CommandSpec spec) {
    if (!session.is(ClientMode.REDIRECTS)) return false;
    boolean readsHere = session.is(ClientMode.READS_REPLICAS);
    return isOrExecutes(session, spec, each -> each.isWrite() || !readsHere && each.isReadOnly());
  }

  static String redirection(Replication.Address master) {
    return REDIRECT + master.host() + ":" + master.port();
  }

  static boolean isRedirection(String error) {
    return error.startsWith(REDIRECT) || SlotCheck.isRedirection(error);
  }

  static boolean isAboutKeys(CommandSpec spec) {
    return spec.isWrite() || spec.mayReplicate() || spec.isReadOnly();
  }

  // Pauses

  /** Whether a pause holds a command back, or clients that were held back go first. */
  boolean isHeldBack(Call call) {
    Pause pause = engine.pause();
    if (!pause.isOn()) return pause.isBehindOthers(call.session());
    if (pause.holdsAll()) return true;
    Transaction transaction = call.session().transaction();
    if (transaction == null || !isExec(call.spec())) return reachesReplicas(call);
    queued.session(call.session());
    for (StoredCommand each : transaction.commands()) {
      queued.load(each);
      if (reachesReplicas(queued)) return true;
    }
    return false;
  }

  /** Whether a pause of writes holds back a command. */
  private static boolean reachesReplicas(Call call) {
    CommandSpec spec = call.spec();
    return (spec.isWrite() || spec.mayReplicate()) && !ScriptingCommands.isMarkedReadOnly(call);
  }

  // Assertions

  /**
   * The check that would not have let a command run that ran unchecked; null if all would have.
   * Errors of files are left out: they occur outside the keyspace lock, and count once they are
   * noted.
   */
  @Nullable String objection(Call call) {
    Session session = call.session();
    Refusal refusal = checkClient(call);
    if (refusal == null) refusal = checkBusy(call);
    if (refusal == null) refusal = checkState(call, null, null);
    if (refusal != null) return refusal.error();
    if (isForNextMaster(call)) return "waits for the next master";
    if (engine.eviction().isNeeded()) return "needs an eviction";
    if (session.transaction() != null) return "is in a transaction";
    if (isHeldBack(call)) return "is held back";
    if (session.replies() != Session.Replies.ON) return "needs no reply";
    boolean getsMessages = !session.subscriptions().isEmpty() || session.tracking() != null;
    return getsMessages ? "is followed by messages" : null;
  }
}
