package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaClosure;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaUserdata;
import dev.kermes.lua.LuaValues;
import dev.kermes.lua.NativeCode;
import dev.kermes.lua.NumberScanner;
import dev.kermes.lua.NumberText;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The basic functions of Lua 5.1, without those that read files. {@code print} is available only
 * with {@link #openPrint}.
 */
public final class BaseLibrary {

  private static final LuaString METATABLE = LuaString.of("__metatable");
  private static final LuaString TO_STRING = LuaString.of("__tostring");
  private static final int UNPACKED_MAX = 8000;

  /** Joins the pieces that a function returns, then compiles them. */
  private static final NativeCode LOAD_PIECES =
      NativeCode.of(
          """
          local reader, name, concat, compile, pcall, check = ...
          local pieces, n = {}, 0
          while true do
            local ok, piece = pcall(reader)
            if ok then ok, piece = pcall(check, piece) end
            if not ok then return nil, piece end
            if not piece then break end
            n = n + 1
            pieces[n] = piece
          end
          return compile(concat(pieces), name)
          """);

  private BaseLibrary() {}

  /** Defines the basic functions, such as {@code pairs} and {@code pcall}. */
  public static void open(LuaState state) {
    LibraryBuilder.in(state, state.globals())
        .add("_G", state.globals())
        .add("_VERSION", "Lua 5.1")
        .add("assert", BaseLibrary::assertTrue)
        .add("collectgarbage", BaseLibrary::collectGarbage)
        .add("error", BaseLibrary::error)
        .add("gcinfo", call -> call.push((double) (call.state().usedBytes() >> 10)))
        .add("getmetatable", BaseLibrary::getMetatable)
        .add("load", BaseLibrary::load)
        .add("loadstring", BaseLibrary::loadString)
        .add("next", NEXT)
        .add("pcall", BaseLibrary::pcall)
        .add("rawequal", BaseLibrary::rawEqual)
        .add("rawget", BaseLibrary::rawGet)
        .add("rawset", BaseLibrary::rawSet)
        .add("select", BaseLibrary::select)
        .add("setmetatable", BaseLibrary::setMetatable)
        .add("tonumber", BaseLibrary::toNumber)
        .add("tostring", BaseLibrary::toString)
        .add("type", BaseLibrary::type)
        .add("unpack", BaseLibrary::unpack)
        .add("xpcall", BaseLibrary::xpcall)
        .add("ipairs", BaseLibrary::ipairs)
        .add("pairs", BaseLibrary::pairs);
    state.iterators(NEXT, IPAIRS_NEXT);
  }

  /** getfenv, setfenv and newproxy. */
  public static void openEnvironments(LuaState state) {
    LibraryBuilder.in(state, state.globals())
        .add("getfenv", BaseLibrary::getEnvironment)
        .add("setfenv", BaseLibrary::setEnvironment)
        .add("newproxy", BaseLibrary::newProxy);
  }

  /** Opens print, which passes each line to {@code out}. */
  public static void openPrint(LuaState state, Consumer<LuaString> out) {
    NativeCode print =
        NativeCode.of(
            """
            local tostring, type, error, concat, select, out = ...
            return function(...)
              local n, texts = select("#", ...), {}
              for i = 1, n do
                local text = tostring((select(i, ...)))
                if type(text) ~= "string" and type(text) ~= "number" then
                  error("'tostring' must return a string to 'print'", 2)
                end
                texts[i] = text
              end
              out(concat(texts, "\\t"))
            end
            """);
    var execution = state.execution();
    execution.start(
        state.closure(print),
        (LuaFunction) BaseLibrary::toString,
        (LuaFunction) BaseLibrary::type,
        (LuaFunction) BaseLibrary::error,
        (LuaFunction) TableLibrary::concat,
        (LuaFunction) BaseLibrary::select,
        (LuaFunction) call -> out.accept(call.string(1)));
    execution.run();
    state.globals().put("print", execution.result(1));
    execution.clear();
  }

  private static final LuaFunction NEXT = BaseLibrary::next;
  private static final LuaFunction IPAIRS_NEXT = BaseLibrary::ipairsNext;

  // Errors

  private static void assertTrue(LuaCall call) {
    Object value = call.any(1);
    if (!LuaValues.isTrue(value)) {
      if (call.isNil(2)) throw call.error("assertion failed!");
      LuaString message = call.string(2);
      throw call.error(new String(message.bytes(), StandardCharsets.ISO_8859_1));
    }
    for (int i = 1; i <= call.count(); i++) call.pushArgument(i);
  }

  static void error(LuaCall call) {
    int level = (int) call.integer(2, 1);
    Object value = call.value(1);
    LuaString text = call.stringOrNull(1);
    if (text != null && level > 0) throw new LuaError(Text.join(call.where(level), text));
    throw new LuaError(value);
  }

  private static void pcall(LuaCall call) {
    call.any(1);
    call.callProtected(false);
  }

  private static void xpcall(LuaCall call) {
    call.any(2);
    call.callProtected(true);
  }

  // Values

  static void type(LuaCall call) {
    call.any(1);
    call.push(call.state().intern(call.typeName(1)));
  }

  static void toString(LuaCall call) {
    Object value = call.any(1);
    Object metamethod = call.state().metafield(value, TO_STRING);
    if (metamethod == null) {
      call.push(LuaValues.toLuaString(value));
    } else {
      call.push(metamethod);
      call.pushArgument(1);
      call.tailCall();
    }
  }

  private static void toNumber(LuaCall call) {
    long base = call.integer(2, 10);
    if (base == 10) {
      Object value = call.any(1);
      call.push(value instanceof LuaString string ? NumberText.parse(string) : numberOrNull(value));
      return;
    }
    NumberScanner scanner = new NumberScanner(call.bytes(1));
    if (base < 2 || base > 36) throw call.argumentError(2, "base out of range");
    double number = scanner.unsignedLong((int) base);
    if (scanner.isWhole()) call.push(number);
    else call.pushNil();
  }

  private static @Nullable Object numberOrNull(@Nullable Object value) {
    return value instanceof Double ? value : null;
  }

  private static void rawEqual(LuaCall call) {
    Object a = call.any(1);
    Object b = call.any(2);
    if (a instanceof Double x && b instanceof Double y) call.push((double) x == (double) y);
    else call.push(a == b || a instanceof LuaString string && string.equals(b));
  }

  private static void select(LuaCall call) {
    if (call.value(1) instanceof LuaString s && s.toString().startsWith("#")) {
      call.push(call.count() - 1.0);
      return;
    }
    long n = call.integer(1);
    if (n < 0) n = call.count() + n;
    else if (n > call.count()) n = call.count();
    if (n < 1) throw call.argumentError(1, "index out of range");
    for (int i = (int) n + 1; i <= call.count(); i++) call.pushArgument(i);
  }

  // Tables

  private static void rawGet(LuaCall call) {
    LuaTable table = call.table(1);
    Object key = call.any(2);
    call.push(key == null ? null : table.get(key));
  }

  private static void rawSet(LuaCall call) {
    LuaTable table = call.table(1);
    call.any(2);
    call.any(3);
    Object key = call.value(2);
    if (key == null) throw new LuaError("table index is nil");
    if (key instanceof Double number && number.isNaN()) throw new LuaError("table index is NaN");
    table.put(key, call.value(3));
    call.pushArgument(1);
  }

  static void next(LuaCall call) {
    LuaTable table = call.table(1);
    Object key = table.nextKey(call.value(2));
    call.push(key);
    if (key != null) call.push(table.get(key));
  }

  private static void pairs(LuaCall call) {
    call.table(1);
    call.push(NEXT);
    call.pushArgument(1);
    call.pushNil();
  }

  private static void ipairs(LuaCall call) {
    call.table(1);
    call.push(IPAIRS_NEXT);
    call.pushArgument(1);
    call.push(0.0);
  }

  private static void ipairsNext(LuaCall call) {
    int i = (int) call.integer(2) + 1;
    LuaTable table = call.table(1);
    if (table.get(i) == null) {
      call.pushNil();
    } else {
      call.push((double) i);
      call.pushElement(table, i);
    }
  }

  private static void unpack(LuaCall call) {
    LuaTable table = call.table(1);
    int from = (int) call.integer(2, 1);
    int to = call.isNil(3) ? table.length() : (int) call.integer(3);
    if (from > to) return;
    long count = (long) to - from + 1;
    if (count + call.count() > UNPACKED_MAX) throw call.error("too many results to unpack");
    for (long i = from; i <= to; i++) call.pushElement(table, (int) i);
  }

  private static void getMetatable(LuaCall call) {
    Object value = call.any(1);
    LuaTable metatable = call.state().metatableOf(value);
    Object hidden = metatable == null ? null : metatable.get(METATABLE);
    call.push(hidden != null ? hidden : metatable);
  }

  private static void setMetatable(LuaCall call) {
    LuaTable table = call.table(1);
    boolean isGiven = call.count() >= 2 && (call.isNil(2) || call.value(2) instanceof LuaTable);
    if (!isGiven) throw call.argumentError(2, "nil or table expected");
    LuaTable current = table.metatable();
    if (current != null && current.get(METATABLE) != null) {
      throw call.error("cannot change a protected metatable");
    }
    table.metatable((LuaTable) call.value(2));
    call.pushArgument(1);
  }

  // Chunks

  private static void loadString(LuaCall call) {
    LuaString source = call.string(1);
    compile(call, source, call.isNil(2) ? source : call.string(2));
  }

  private static void load(LuaCall call) {
    Object reader = call.function(1);
    LuaString name = call.isNil(2) ? LuaString.of("=(load)") : call.string(2);
    call.push(call.state().closure(LOAD_PIECES));
    call.push(reader);
    call.push(name);
    call.push((LuaFunction) TableLibrary::concat);
    call.push((LuaFunction) c -> compile(c, c.string(1), c.string(2)));
    call.push((LuaFunction) BaseLibrary::pcall);
    call.push((LuaFunction) BaseLibrary::checkPiece);
    call.tailCall();
  }

  /** Reads a piece of source; empty at the end. */
  private static void checkPiece(LuaCall call) {
    LuaString piece = call.stringOrNull(1);
    if (piece == null && !call.isNil(1)) {
      throw call.errorOfCaller("reader function must return a string");
    }
    if (piece != null && piece.length() > 0) call.push(piece);
  }

  private static void compile(LuaCall call, LuaString source, LuaString name) {
    try {
      call.push(call.state().compile(source.bytes(), name));
    } catch (LuaError e) {
      call.pushNil();
      call.push(e.value());
    }
  }

  // Environments

  private static @Nullable LuaClosure closure(LuaCall call, boolean mayBeNone) {
    if (call.value(1) instanceof LuaClosure closure) return closure.isNative() ? null : closure;
    if (call.value(1) instanceof LuaFunction) return null;
    long level = mayBeNone ? call.integer(1, 1) : call.integer(1);
    if (level < 0) throw call.argumentError(1, "level must be non-negative");
    if (level == 0) return null;
    if (!call.hasLevel((int) level)) throw call.argumentError(1, "invalid level");
    return call.closureAt((int) level);
  }

  private static void getEnvironment(LuaCall call) {
    LuaClosure closure = closure(call, true);
    call.push(closure == null ? call.state().globals() : closure.globals());
  }

  private static void setEnvironment(LuaCall call) {
    LuaTable environment = call.table(2);
    LuaClosure closure = closure(call, false);
    if (closure == null) {
      throw call.error("'setfenv' cannot change environment of given object");
    }
    closure.globals(environment);
    call.push(closure);
  }

  private static void newProxy(LuaCall call) {
    LuaTable metatable = null;
    if (call.value(1) instanceof LuaUserdata other) metatable = other.metatable();
    else if (call.isTrue(1)) metatable = call.state().newTable();
    call.push(new LuaUserdata(metatable));
  }

  // Memory

  private static void collectGarbage(LuaCall call) {
    String option = call.isNil(1) ? "collect" : call.string(1).toString();
    switch (option) {
      case "collect", "step" -> {
        call.state().recount();
        if (option.equals("step")) call.push(true);
        else call.push(0.0);
      }
      case "count" -> call.push(call.state().usedBytes() / 1024.0);
      case "stop", "restart" -> call.push(0.0);
      case "setpause", "setstepmul" -> call.push(200.0);
      default -> throw call.argumentError(1, "invalid option '" + option + "'");
    }
  }
}
