package dev.kermes.server.script;

import dev.kermes.lua.Execution;
import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaFunction;
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
import dev.kermes.server.Clock;
import org.jspecify.annotations.Nullable;

/**
 * A Lua state with the libraries that Redis has, read-only all of them, and the run that it is at.
 * There is one for scripts and one for functions.
 */
final class Machine {

  private static final NativeCode PCALL =
      NativeCode.of(
          """
          local pcall, withMessage = ...
          return function(...) return withMessage(pcall(...)) end
          """);

  private static final LuaFunction SECONDS = call -> call.push(Clock.system().nanos() / 1e9);

  private final LuaState state = new LuaState();
  private final RedisApi api;
  private final LuaString keys = state.intern("KEYS");
  private final LuaString argv = state.intern("ARGV");
  private @Nullable ScriptRun run;
  private @Nullable ScriptHost host;

  private Machine(String redisVersion) {
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

  /** Errors of commands are tables; to those who catch them with pcall they are their messages. */
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

  /** For scripts, which find KEYS and ARGV among their globals. */
  static Machine forScripts(String redisVersion) {
    Machine machine = new Machine(redisVersion);
    LuaTable redis = machine.api.forScripts();
    machine.state.globals().put("redis", redis).put("server", redis);
    machine.protect();
    return machine;
  }

  /** Makes everything read-only that is reachable, and unknown globals an error. */
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

  LuaState state() {
    return state;
  }

  ScriptRun run() {
    if (run == null) throw new AssertionError("no script runs");
    return run;
  }

  ScriptHost host() {
    if (host == null) throw new AssertionError("no script runs");
    return host;
  }

  /** Whoever runs commands from now on. */
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
    state.execution().start(script.function());
  }

  /** Lets go of what the run left. */
  void end() {
    state.execution().clear();
    run = null;
    host = null;
  }
}
