package dev.kermes.server.execution;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Permission;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.engine.SuspendedScript;
import dev.kermes.server.script.ArgumentBuffer;
import dev.kermes.server.script.ScriptHost;
import dev.kermes.server.script.ScriptRun;
import dev.kermes.server.writelog.LogSink;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scripts on one event loop, and the commands that they call. A script that takes too long is
 * suspended: its command ends without a reply, the loop of the cron continues it in slices, and its
 * client gets the reply at the end. Guarded by the keyspace lock.
 */
final class ScriptRunner implements ScriptHost {

  private static final Logger LOG = LoggerFactory.getLogger(ScriptRunner.class);

  private static final int REPLY_KEPT = 64 * 1024;
  private static final long MILLIS_MAX = Long.MAX_VALUE / 1_000_000;

  /** 5 ms: the slice of a suspended script, after which other clients are served. */
  private static final long SLICE_NANOS = 5_000_000;

  /** 200 us: enough for a thread that waits for the keyspace lock to wake up and take it. */
  private static final long PAUSE_NANOS = 200_000;

  private final Engine engine;
  private final CommandExecutor executor;
  private final RespWriter reply = new RespWriter(1024);
  private final Session session;
  private final Call inner;
  private final SlotCheck slots;
  private final SlotCounting slotCounting;
  private final RespWriter lateReply = new RespWriter(256);
  private final Call late;
  private List<StoredCommand> afterwards = List.of();

  /** The error for commands that need memory, determined at the script's start; or null. */
  private @Nullable String noRoom;

  ScriptRunner(Engine engine, CommandExecutor executor, SlotCounting slotCounting) {
    this.engine = engine;
    this.executor = executor;
    this.slotCounting = slotCounting;
    session = engine.clients().internal(new NoConnection("lua")); // the caller's user is checked
    inner = new Call(engine, executor, reply);
    inner.session(session);
    slots = new SlotCheck(engine, inner);
    late = new Call(engine, executor, lateReply);
  }

  /** Runs a prepared script, and replies its result. */
  void start(Call call, ScriptRun run) {
    call.log().nothing(); // its commands are logged instead
    Session caller = call.session();
    session.database(caller.database());
    session.set(ClientMode.NO_TOUCH, caller.is(ClientMode.NO_TOUCH));
    inner.client(caller);
    inner.partOf(call.sent());
    if (engine.cluster() != null) run.slot(slots.slotOf(call));
    noRoom = engine.eviction().makeRoomOrRefuse();
    long start = engine.keyspace().clock().nanos();
    boolean isOver = engine.scripting().goOn(run, this, limitNanos(caller));
    slotCounting.usedByScript(run.slot());
    if (isOver) finish(call, run);
    else suspend(call, run, start);
  }

  /** The time for the first slice; a script in a file that is being loaded has no limit. */
  private long limitNanos(Session caller) {
    if (engine.keyspace().isReplaying() && !caller.isMaster()) return Long.MAX_VALUE;
    long millis = engine.settings().scriptOptions().busyMillis.value();
    return millis == 0 || millis > MILLIS_MAX ? Long.MAX_VALUE : millis * 1_000_000;
  }

  private void finish(Call call, ScriptRun run) {
    if (engine.scripting().isCutShort(run)) engine.keyspace().log().abandonUnit();
    try {
      ScriptReply.write(call, run);
    } finally {
      int unused = session.fieldsets().clear();
      engine.scripting().end(run);
      reply.clear(REPLY_KEPT);
    }
  }

  // Scripts that take too long

  private void suspend(Call call, ScriptRun run, long startNanos) {
    LOG.warn("slow script: name={}; SCRIPT KILL or FUNCTION KILL end it", run.name());
    Session caller = call.session();
    boolean isWanted = caller.replies() == Session.Replies.ON;
    CommandSpec whole = call.isInTransaction() ? call.sent() : null;
    call.unfinished();
    caller.output().beginLateReply();
    afterwards = List.of();
    if (call != late) lateReply.clear(REPLY_KEPT);
    SuspendedScript suspended =
        new SuspendedScript(
            run, caller, call.storedCommand(), startNanos, () -> goOn(isWanted, whole));
    engine.suspended(suspended);
    executor.deadlineAdded(engine.keyspace().clock().nanos());
  }

  /** Stores the rest of a transaction, to run after its suspended script has ended. */
  void runAfterwards(List<StoredCommand> commands) {
    afterwards = commands;
  }

  /** Runs a slice of the suspended script. */
  private void goOn(boolean isWanted, @Nullable CommandSpec whole) {
    SuspendedScript suspended = Objects.requireNonNull(engine.suspended());
    if (engine.scripting().goOn(suspended.run(), this, SLICE_NANOS)) {
      engine.suspended(null);
      finishLate(suspended, isWanted, whole);
    } else {
      executor.deadlineAdded(engine.keyspace().clock().nanos() + PAUSE_NANOS);
    }
  }

  private void finishLate(
      SuspendedScript suspended, boolean isWanted, @Nullable CommandSpec whole) {
    Session caller = suspended.caller();
    StoredCommand command = suspended.command();
    lateReply.protocol(caller.protocol());
    late.session(caller);
    late.partOf(whole);
    late.load(command);
    finish(late, suspended.run());
    executor.finishedLate(late, engine.keyspace().clock().nanos() - suspended.startNanos());
    executor.runAll(late, afterwards);
    if (late.isUnfinished()) return; // suspended by another script of the same transaction
    executor.endLate(caller, isWanted ? lateReply.toByteArray() : new byte[0]);
  }

  // Commands that the script calls

  @Override
  public RespWriter reply() {
    return reply;
  }

  @Override
  public boolean isCommand(ArgumentBuffer arguments) {
    return find(arguments) != null;
  }

  private @Nullable CommandSpec find(ArgumentBuffer arguments) {
    return executor.find(arguments.bytes(), arguments.slices(), 0, arguments.count());
  }

  @Override
  public @Nullable String call(ScriptRun run, ArgumentBuffer arguments) {
    CommandSpec spec = find(arguments);
    if (spec != null) load(arguments, spec);
    String refusal = refuse(run, spec, arguments.count());
    if (refusal != null || spec == null) {
      if (spec != null) engine.statistics().rejected(spec.id());
      String error = Objects.requireNonNull(refusal);
      engine.statistics().error(error);
      return error;
    }
    if (spec.isWrite()) run.wrote();
    reply.clear(REPLY_KEPT);
    reply.protocol(run.protocol());
    session.protocol(run.protocol());
    runFor(run.audience(), spec);
    return null;
  }

  private void runFor(int audience, CommandSpec spec) {
    engine.keyspace().log().audience(audience);
    try {
      executor.runTimed(inner, spec);
    } finally {
      engine.keyspace().log().audience(LogSink.ALL);
    }
  }

  private void load(ArgumentBuffer arguments, CommandSpec spec) {
    inner.load(spec, arguments.bytes(), arguments.slices(), 0, arguments.count());
  }

  @Override
  public boolean isAllowed(ArgumentBuffer arguments) {
    CommandSpec spec = Objects.requireNonNull(find(arguments));
    load(arguments, spec);
    return Permission.denial(inner) == null;
  }

  /** Returns the error of a command that the script may not call, and logs a lack of rights. */
  private @Nullable String refuse(ScriptRun run, @Nullable CommandSpec spec, int argc) {
    if (spec == null) return "ERR Unknown Redis command called from script";
    if (!spec.accepts(argc) || !spec.isCallable()) {
      return "ERR Wrong number of args calling Redis command from script";
    }
    if (!isForScripts(spec)) return "ERR This Redis command is not allowed from script";
    Denial denial = Permission.denial(inner);
    if (denial != null) {
      Permission.log(inner, denial, AclLog.Context.LUA);
      return denial.errorInScript(inner.client().user().name(), spec);
    }
    if (run.isReadOnly() && (spec.isWrite() || spec.mayReplicate())) {
      return "ERR Write commands are not allowed from read-only scripts.";
    }
    String noWrites = engine.replication().whyNoWrites();
    if (spec.isWrite() && noWrites != null && !engine.keyspace().isReplaying()) return noWrites;
    String misconfigured = spec.isWrite() ? engine.fileError() : null;
    if (misconfigured != null) return misconfigured;
    boolean isRefused =
        !run.mayRunOutOfMemory() && !run.hasWritten() && spec.has(CommandFlag.DENYOOM);
    if (isRefused && noRoom != null) return noRoom;
    return engine.cluster() == null || engine.keyspace().isReplaying() ? null : slotError(run);
  }

  /**
   * The error of a command whose keys this node of a cluster may not use; null if it may. What
   * happens to other nodes does not stop a script that has written: all of it or nothing.
   */
  private @Nullable String slotError(ScriptRun run) {
    String error = slots.error(inner);
    int slot = slots.slot();
    boolean goesOn = run.hasWritten() && slot == run.slot();
    if (error != null && !(goesOn && SlotCheck.isOfOtherNodes(error))) {
      return SlotCheck.errorInScript(inner.spec(), error);
    }
    if (slot < 0 || run.mayCrossSlots()) return null;
    if (run.slot() < 0) run.slot(slot);
    if (run.slot() == slot) return null;
    return "ERR Script attempted to access keys that do not hash to the same slot";
  }

  private boolean isForScripts(CommandSpec spec) {
    if (!spec.noScript()) return true;
    return engine.scripting().allowsAll() && !spec.group().equals("scripting");
  }
}
