package dev.kermes.lua.lib;

import dev.kermes.lua.Coroutine;
import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaClosure;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;

/** The functions of {@code coroutine}. */
public final class CoroutineLibrary {

  private CoroutineLibrary() {}

  /** Defines the global {@code coroutine}. */
  public static void open(LuaState state) {
    LibraryBuilder.global(state, "coroutine")
        .add("create", call -> call.push(create(call)))
        .add("resume", CoroutineLibrary::resume)
        .add("running", CoroutineLibrary::running)
        .add("status", CoroutineLibrary::status)
        .add("wrap", CoroutineLibrary::wrap)
        .add("yield", LuaCall::yieldToResumer);
  }

  private static Coroutine create(LuaCall call) {
    if (call.value(1) instanceof LuaClosure closure && !closure.isNative()) {
      return call.state().coroutine(closure);
    }
    throw call.argumentError(1, "Lua function expected");
  }

  private static Coroutine coroutine(LuaCall call) {
    if (call.value(1) instanceof Coroutine co) return co;
    throw call.argumentError(1, "coroutine expected");
  }

  private static void resume(LuaCall call) {
    Coroutine co = coroutine(call);
    if (co.statusName().equals("suspended")) {
      call.resume(co, false);
    } else {
      call.push(false);
      call.push(LuaString.of("cannot resume " + co.statusName() + " coroutine"));
    }
  }

  private static void wrap(LuaCall call) {
    Coroutine co = create(call);
    LuaFunction resumer = c -> resumeWrapped(c, co);
    call.push(resumer);
  }

  private static void resumeWrapped(LuaCall call, Coroutine co) {
    if (!co.statusName().equals("suspended")) {
      throw call.error("cannot resume " + co.statusName() + " coroutine");
    }
    call.resume(co, true);
  }

  private static void running(LuaCall call) {
    if (call.coroutine().isMain()) call.pushNil();
    else call.push(call.coroutine());
  }

  private static void status(LuaCall call) {
    call.push(call.state().intern(coroutine(call).statusName()));
  }
}
