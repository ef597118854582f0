package dev.kermes.server.script;

import dev.kermes.lua.Execution;
import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaClosure;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaLimits;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.NativeCode;
import dev.kermes.lua.lib.BaseLibrary;
import dev.kermes.lua.lib.BitLibrary;
import dev.kermes.lua.lib.CjsonLibrary;
import dev.kermes.lua.lib.CmsgpackLibrary;
import dev.kermes.lua.lib.CoroutineLibrary;
import dev.kermes.lua.lib.MathLibrary;
import dev.kermes.lua.lib.StringLibrary;
import dev.kermes.lua.lib.StructLibrary;
import dev.kermes.lua.lib.TableLibrary;
import dev.kermes.server.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Lua state with the libraries that Redis has, all read-only, and its current run. There is one
 * for scripts and one for functions.
 */
final class Machine {

  private static final NativeCode PCALL =
      NativeCode.of(
          """
          local pcall, withMessage = ...
          return function(...) return withMessage(pcall(...)) end
          """);

  private static final NativeCode CALL =
      NativeCode.of("local callee, keys, argv = ... return callee(keys, argv)");

  private static final int LOAD_STEPS = 10_000;

  /** Half a second: the time limit for a library to register its functions. */
  private static final long LOAD_NANOS_MAX = 500_000_000;

  private static final LuaFunction SECONDS = call -> call.push(Clock.system().nanos() / 1e9);

  /** The names of the table of functions: Redis's and Valkey's. */
  private static final List<String> TABLES = List.of("redis", "server");

  private final LuaState state;
  private final RedisApi api;
  private final LuaString keys;
  private final LuaString argv;
  private @Nullable LuaTable libraryMetatable;
  private @Nullable LuaTable libraryApi;
  private @Nullable Library loading;
  private @Nullable ScriptRun run;
  private @Nullable ScriptHost host;

  private Machine(String redisVersion, LuaLimits limits) {
    state = new LuaState(limits);
    keys = state.intern("KEYS");
    argv = state.intern("ARGV");
    BaseLibrary.open(state);
    CoroutineLibrary.open(state);
    StringLibrary.open(state);
    TableLibrary.open(state);
    MathLibrary.open(state);
    BitLibrary.open(state);
    StructLibrary.open(state);
    CjsonLibrary.open(state);
    CmsgpackLibrary.open(state);
    api = new RedisApi(this, redisVersion);
    replacePcall();
    state.globals().put("os", state.newTable().put("clock", SECONDS));
  }

  /** Makes pcall return a command's error as its message, although the error is a table. */
  private void replacePcall() {
    Execution execution = state.execution();
    Object pcall = state.globals().get("pcall");
    execution.start(state.closure(PCALL), pcall, (LuaFunction) Machine::withMessage);
    execution.run();
    state.globals().put("pcall", execution.result(1));
    execution.clear();
  }

  private static void withMessage(LuaCall call) {
    Object message = call.isTrue(1) ? null : message(call.value(2));
    for (int i = 1; i <= call.count(); i++) {
      if (i == 2 && message != null) call.push(message);
      else call.pushArgument(i);
    }
  }

  private static @Nullable Object message(@Nullable Object error) {
    Object message = error instanceof LuaTable table ? table.get("err") : null;
    return message instanceof LuaString || message instanceof Double ? message : null;
  }

  /** A machine for scripts, which find KEYS and ARGV among their globals. */
  static Machine forScripts(String redisVersion, LuaLimits limits) {
    Machine machine = new Machine(redisVersion, limits);
    for (String name : TABLES) machine.state.globals().put(name, machine.api.forScripts(name));
    machine.protect();
    return machine;
  }

  /**
   * A machine for functions, which run in their own environment: an empty table in front of the
   * globals. While a library is loaded, its environment hides most of the globals.
   */
  static Machine forFunctions(String redisVersion, LuaLimits limits) {
    Machine machine = new Machine(redisVersion, limits);
    LuaState state = machine.state;
    for (String name : TABLES) state.globals().put(name, machine.api.forFunctions(name));
    machine.protect();
    LuaTable unknown = state.newTable().put("__index", RedisApi.UNKNOWN_GLOBAL);
    LuaTable atLoad = state.newTable();
    for (String name : TABLES) {
      LuaTable loader = machine.api.forLibraries(name);
      String function = "register_function";
      RedisApi.add(loader, function, call -> machine.register(call, name + "." + function));
      loader.metatable(unknown);
      atLoad.put(name, loader);
    }
    atLoad.metatable(unknown);
    protect(atLoad);
    machine.libraryApi = atLoad;
    LuaTable metatable = state.newTable().put("__index", state.globals());
    machine.libraryMetatable = metatable.readOnly(true);
    return machine;
  }

  /** Makes all reachable tables read-only, and access to unknown globals an error. */
  private void protect() {
    LuaTable metatable = state.newTable().put("__index", RedisApi.UNKNOWN_GLOBAL);
    state.globals().metatable(metatable);
    protect(state.globals());
    LuaTable ofStrings = state.stringMetatable();
    if (ofStrings != null) protect(ofStrings);
  }

  private static void protect(LuaTable table) {
    if (table.isReadOnly()) return;
    table.readOnly(true);
    LuaTable metatable = table.metatable();
    if (metatable != null) protect(metatable);
    for (Object key = table.nextKey(null); key != null; key = table.nextKey(key)) {
      if (table.get(key) instanceof LuaTable inner) protect(inner);
    }
  }

  // Libraries

  /** Runs the text of a library, which registers functions. */
  void load(Library library, LuaClosure text) throws ScriptException {
    LuaTable environment = state.newTable();
    environment.metatable(libraryMetatable);
    text.globals(environment.readOnly(true));
    loading = library;
    behindEnvironments(libraryApi);
    try {
      run(text);
      ScriptFailure failure = ScriptFailure.of(state.execution());
      if (failure != null) {
        throw new ScriptException("ERR Error registering functions: " + failure.message());
      }
    } finally {
      behindEnvironments(state.globals());
      loading = null;
      state.execution().clear();
    }
  }

  private void behindEnvironments(@Nullable LuaTable table) {
    if (libraryMetatable == null) throw new AssertionError("not for functions");
    libraryMetatable.readOnly(false).put("__index", table).readOnly(true);
  }

  private void run(LuaClosure text) {
    Clock clock = Clock.system();
    long start = clock.nanos();
    state.execution().start(text);
    Execution.Status status = state.execution().run(LOAD_STEPS);
    while (status == Execution.Status.SUSPENDED) {
      if (clock.nanos() - start > LOAD_NANOS_MAX) state.stop("FUNCTION LOAD timeout");
      status = state.execution().run(LOAD_STEPS);
    }
  }

  private void register(LuaCall call, String name) {
    Library library = loading;
    if (library == null) {
      throw Errors.raised(state, name + " can only be called on FUNCTION LOAD command");
    }
    String mistake = library.add(Registration.of(call, name));
    if (mistake != null) throw Errors.raised(state, mistake);
  }

  // Runs

  LuaState state() {
    return state;
  }

  long countedBytes() {
    state.recount();
    return state.usedBytes();
  }

  ScriptRun run() {
    if (run == null) throw new AssertionError("no script runs");
    return run;
  }

  ScriptHost host() {
    if (host == null) throw new AssertionError("no script runs");
    return host;
  }

  /** Sets the host that runs commands from now on. */
  void host(ScriptHost next) {
    host = next;
  }

  /** Prepares the run of a script with its keys and arguments as globals. */
  void startScript(ScriptRun script, LuaTable keyTable, LuaTable argumentTable) {
    run = script;
    LuaTable globals = state.globals();
    globals.readOnly(false);
    globals.put(keys, keyTable);
    globals.put(argv, argumentTable);
    globals.readOnly(true);
    state.execution().start((LuaClosure) script.function());
  }

  /** Prepares the call of a function. */
  void startFunction(ScriptRun function, LuaTable keyTable, LuaTable argumentTable) {
    run = function;
    Object callee = function.function();
    if (callee instanceof LuaClosure closure) {
      state.execution().start(closure, keyTable, argumentTable);
    } else {
      state.execution().start(state.closure(CALL), callee, keyTable, argumentTable);
    }
  }

  /** Releases what the run left behind. */
  void end() {
    state.execution().clear();
    run = null;
    host = null;
  }
}
