package dev.kermes.server.script;

import dev.kermes.lua.Execution.Status;
import dev.kermes.lua.LuaLimits;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.server.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of one server and the run that is under way, one at most. A run goes on for as long
 * as it is given time; in between others may have the keyspace lock, who see {@link #run()} and
 * leave the data alone. Guarded by the keyspace lock, but for {@link #stop}.
 */
public final class Scripting {

  /** 10,000 steps: a fraction of a millisecond, after which it looks at the time. */
  private static final int STEPS = 10_000;

  private final ScriptCache scripts;
  private final Supplier<Machine> functionMachines;
  private Libraries libraries;
  private volatile @Nullable ScriptRun run;
  private boolean allowsAll;

  /**
   * Creates it without any scripts.
   *
   * @param redisVersion what scripts are told
   * @param memoryBytes what the values of scripts may take, and those of functions
   */
  public Scripting(String redisVersion, long memoryBytes) {
    LuaLimits limits = LuaLimits.DEFAULT.withMemory(memoryBytes);
    scripts = new ScriptCache(new LazyMachine(() -> Machine.forScripts(redisVersion, limits)));
    functionMachines = () -> Machine.forFunctions(redisVersion, limits);
    libraries = newLibraries();
  }

  /** For tests: scripts may call whatever is not another script. */
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

  /** Some to take the place of those there are: none yet. */
  public Libraries newLibraries() {
    return new Libraries(new LazyMachine(functionMachines));
  }

  /** Has others in the place of those there are. */
  public void libraries(Libraries fresh) {
    libraries = fresh;
  }

  /** Deletes all libraries. */
  public void flushLibraries() {
    libraries.clear();
  }

  /** Bytes of the texts of scripts and libraries, about. */
  public long bytes() {
    return scripts.bytes() + libraries.bytes();
  }

  /** Bytes that the values of scripts occupy, about; counts them. */
  public long scriptMachineBytes() {
    return scripts.machine().countedBytes();
  }

  /** Bytes that the values of libraries occupy, about; counts them. */
  public long functionMachineBytes() {
    return libraries.machine().countedBytes();
  }

  /** Forgets all scripts. */
  public void flushScripts() {
    scripts.clear();
  }

  /** Begins to run a script; {@link #goOn} does it. */
  public ScriptRun start(
      Script script, boolean isReadOnly, List<LuaString> keys, List<LuaString> arguments) {
    Machine machine = scripts.machine().get();
    ScriptRun next =
        new ScriptRun(machine, script.sha1(), script.function(), false, isReadOnly, script.flags());
    machine.startScript(next, table(machine, keys), table(machine, arguments));
    run = next;
    return next;
  }

  /** Begins to run a function; {@link #goOn} does it. */
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

  /** The run under way, null if there is none. */
  public @Nullable ScriptRun run() {
    return run;
  }

  /** Goes on with the run for that long at most; whether it has come to its end. */
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

  /** Lets go of a run that has come to its end, when its result has been read. */
  public void end(ScriptRun ended) {
    ended.machine().end();
    run = null;
  }

  /** Ends the run under way as soon as possible, since the server does. Any thread. */
  public void stop() {
    ScriptRun current = run;
    if (current != null) current.stop();
  }
}
