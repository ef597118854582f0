package dev.kermes.server.script;

import dev.kermes.lua.Execution.Status;
import dev.kermes.lua.LuaLimits;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.server.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of one server and the current run; there is at most one. A run proceeds in time
 * slices. Between slices other threads may take the keyspace lock; they see {@link #run()} and
 * leave the data alone. Guarded by the keyspace lock, except for {@link #stop}.
 */
public final class Scripting {

  /** 10,000 steps: a fraction of a millisecond between two looks at the clock. */
  private static final int STEPS = 10_000;

  private final ScriptCache scripts;
  private final Supplier<Machine> functionMachines;
  private Libraries libraries;
  private volatile @Nullable ScriptRun run;
  private boolean allowsAll;

  /** Whether the server ends. */
  private volatile boolean isStopping;

  /**
   * Creates an instance without scripts.
   *
   * @param redisVersion the version that scripts see
   * @param memoryBytes the limit for the values of scripts, and again for those of functions
   */
  public Scripting(String redisVersion, long memoryBytes) {
    LuaLimits limits = LuaLimits.DEFAULT.withMemory(memoryBytes);
    scripts = new ScriptCache(new LazyMachine(() -> Machine.forScripts(redisVersion, limits)));
    functionMachines = () -> Machine.forFunctions(redisVersion, limits);
    libraries = newLibraries();
  }

  /** Allows scripts to call any command that does not run a script, for tests. */
  public void allowAll(boolean on) {
    allowsAll = on;
  }

  public boolean allowsAll() {
    return allowsAll;
  }

  public ScriptCache scripts() {
    return scripts;
  }

  public Libraries libraries() {
    return libraries;
  }

  /** An empty replacement for the current libraries. */
  public Libraries newLibraries() {
    return new Libraries(new LazyMachine(functionMachines));
  }

  /** Replaces the libraries. */
  public void libraries(Libraries fresh) {
    libraries = fresh;
  }

  /** Deletes all libraries. */
  public void flushLibraries() {
    libraries.clear();
  }

  /** The approximate bytes of the texts of scripts and libraries. */
  public long bytes() {
    return scripts.bytes() + libraries.bytes();
  }

  /** Counts the approximate bytes that the values of scripts occupy. */
  public long scriptMachineBytes() {
    return scripts.machine().countedBytes();
  }

  /** Counts the approximate bytes that the values of libraries occupy. */
  public long functionMachineBytes() {
    return libraries.machine().countedBytes();
  }

  /** Deletes all scripts. */
  public void flushScripts() {
    scripts.clear();
  }

  /** Prepares a script; {@link #goOn} runs it. */
  public ScriptRun start(
      Script script, boolean isReadOnly, List<LuaString> keys, List<LuaString> arguments) {
    Machine machine = scripts.machine().get();
    ScriptRun next =
        new ScriptRun(machine, script.sha1(), script.function(), false, isReadOnly, script.flags());
    machine.startScript(next, table(machine, keys), table(machine, arguments));
    run = next;
    return next;
  }

  /** Prepares a function; {@link #goOn} runs it. */
  public ScriptRun start(
      LibraryFunction function,
      boolean isReadOnly,
      List<LuaString> keys,
      List<LuaString> arguments) {
    Machine machine = libraries.machine().get();
    ScriptRun next =
        new ScriptRun(
            machine, function.name(), function.callback(), true, isReadOnly, function.flags());
    machine.startFunction(next, table(machine, keys), table(machine, arguments));
    run = next;
    return next;
  }

  private static LuaTable table(Machine machine, List<LuaString> strings) {
    LuaState state = machine.state();
    LuaTable table = state.newTable(strings.size(), 0);
    for (int i = 0; i < strings.size(); i++) table.put(i + 1, strings.get(i));
    return table;
  }

  /** The current run, null if there is none. */
  public @Nullable ScriptRun run() {
    return run;
  }

  /** Continues the run for at most that long; returns whether it has ended. */
  public boolean goOn(ScriptRun started, ScriptHost host, long nanos) {
    started.machine().host(host);
    Clock clock = Clock.system(); // the limit is processor time, whatever clock the data follow
    long start = clock.nanos();
    Status status = started.machine().state().execution().run(STEPS);
    while (status == Status.SUSPENDED && clock.nanos() - start < nanos) {
      status = started.machine().state().execution().run(STEPS);
    }
    return status != Status.SUSPENDED;
  }

  /**
   * Whether the end of the server has cut a run short that has ended. A failure of its own counts
   * as well: the request to stop may have been meant for the run before.
   */
  public boolean isCutShort(ScriptRun ended) {
    return isStopping && ended.failure() != null;
  }

  /** Releases a run that has ended, after its result has been read. */
  public void end(ScriptRun ended) {
    ended.machine().end();
    run = null;
  }

  /** Ends the current run as soon as possible, since the server ends. Any thread. */
  public void stop() {
    isStopping = true;
    ScriptRun current = run;
    if (current != null) current.stop();
  }
}
