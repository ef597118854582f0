package dev.kermes.server.command;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.engine.Outlet;
import dev.kermes.server.engine.Session;
import dev.kermes.server.script.ArgumentBuffer;
import dev.kermes.server.script.ScriptHost;
import dev.kermes.server.script.ScriptRun;
import org.jspecify.annotations.Nullable;

/** Runs scripts on one event loop, and the commands that they call. */
final class ScriptRunner implements ScriptHost {

  private static final int REPLY_KEPT = 64 * 1024;

  private final Engine engine;
  private final CommandExecutor executor;
  private final RespWriter reply = new RespWriter(1024);
  private final Session session;
  private final Call inner;
  private boolean isOutOfMemory;

  ScriptRunner(Engine engine, CommandExecutor executor) {
    this.engine = engine;
    this.executor = executor;
    session = new Session(0, new NoOutlet(), engine.database(0), true, 0);
    inner = new Call(engine, executor, reply);
    inner.session(session);
    inner.inTransaction(true);
  }

  /** Runs a script that was started, and replies what it returns. */
  void start(Call call, ScriptRun run) {
    Session caller = call.session();
    session.database(caller.database());
    session.noTouch(caller.isNoTouch());
    inner.client(caller);
    isOutOfMemory = ScriptingCommands.isOutOfMemory(call);
    boolean unused = engine.scripting().goOn(run, this, Long.MAX_VALUE);
    try {
      ScriptReply.write(call, run);
    } finally {
      engine.scripting().end(run);
      reply.clear(REPLY_KEPT);
    }
  }

  /** What others are told while a script runs too long. */
  static String busy(ScriptRun run) {
    return "BUSY Redis is busy running a script. You can only call "
        + (run.isFunction() ? "FUNCTION" : "SCRIPT")
        + " KILL or SHUTDOWN NOSAVE.";
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
    String refusal = whyRefused(run, spec, arguments.count());
    if (refusal != null || spec == null) {
      if (spec != null) engine.statistics().rejected(spec.id());
      String error = java.util.Objects.requireNonNull(refusal);
      engine.statistics().error(error);
      return error;
    }
    if (spec.isWrite()) run.wrote();
    reply.clear(REPLY_KEPT);
    reply.protocol(run.protocol());
    session.protocol(run.protocol());
    inner.load(spec, arguments.bytes(), arguments.slices(), 0, arguments.count());
    executor.runInner(inner, spec);
    return null;
  }

  private @Nullable String whyRefused(ScriptRun run, @Nullable CommandSpec spec, int argc) {
    if (spec == null) return "ERR Unknown Redis command called from script";
    if (!spec.accepts(argc) || !spec.isCallable()) {
      return "ERR Wrong number of args calling Redis command from script";
    }
    if (spec.noScript()) return "ERR This Redis command is not allowed from script";
    if (run.isReadOnly() && (spec.isWrite() || spec.mayReplicate())) {
      return "ERR Write commands are not allowed from read-only scripts.";
    }
    if (spec.isWrite() && engine.settings().replicasMin() > 0) {
      return "NOREPLICAS Not enough good replicas to write.";
    }
    boolean isTooMuch =
        isOutOfMemory
            && !run.mayRunOutOfMemory()
            && !run.hasWritten()
            && spec.has(CommandFlag.DENYOOM);
    return isTooMuch ? "OOM command not allowed when used memory > 'maxmemory'." : null;
  }

  /** Scripts have no connection: what they send goes nowhere. */
  private static final class NoOutlet implements Outlet {

    @Override
    public void wake() {}

    @Override
    public void closeSoon() {}

    /** As MONITOR shows it. */
    @Override
    public String peerAddress() {
      return "lua";
    }

    @Override
    public String localAddress() {
      return "lua";
    }

    @Override
    public boolean isFromThisMachine() {
      return true;
    }

    @Override
    public long unreadBytes() {
      return 0;
    }

    @Override
    public long pendingBytes() {
      return 0;
    }
  }
}
