package dev.kermes.lua;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.lua.compile.CompiledCode;
import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.Prototype;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares compiled code with interpreted code; {@link LuaDifferentialTest} has many more. */
class JvmCompilerTest {

  private static final int TICKS = 7;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local n = 0 for i = 1, 100 do n = n + i * 2 - i / 4 + i % 7 end print(n)",
        "local n = 0 for i = 10, 1, -3 do n = n + (i + 1) * (i - 1) / i % 3 end print(n)",
        "for i = 1, 5 do i = 'x' .. i print(i) end",
        "for i = 1, 4 do local s = '1' + i print(s, -s, s ^ 2, not s, #tostring(s)) end",
        "local t = {} for i = 1, 100 do t[i] = i t['k' .. i] = i end print(#t, t[50], t.k50)",
        "local t = {n = 0, s = 'x'} for i = 1, 9 do t.n = t.n + i t.s = t.s .. i end print(t.n, t.s)",
        "local t = {1, 2, 3} local n = 0 for i = 1, 5 do n = n + (t[i] or 10) end print(n)",
        "local t = {} for i = 1, 5 do t[1] = i t[2.5] = t[1] print(t[1], t[2.5], t[3]) end",
        "local n = 0 while n < 10 do n = n + 1 if n == 3 then n = 5 end end print(n)",
        "local n = 0 repeat local m = n n = n + 1 until m >= 10 print(n)",
        "local n = 0 while true do n = n + 1 if n > 20 then break end end print(n)",
        "for k, v in pairs({1, 2, 3, a = 4}) do print(k, v) end",
        "for k, v in ipairs({1, 2, 3, nil, 5}) do print(k, v) end",
        "for w in string.gmatch('one two three', '%a+') do print(w) end",
        "local function f(n, i) if i < n then return i + 1 end end for i in f, 5, 0 do print(i) end",
        "local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i end end "
            + "for i = 1, 3 do print(fs[i](), fs[i]()) end",
        "local c = 0 local function inc() c = c + 1 return c end "
            + "for i = 1, 9 do inc() c = c * 2 end print(c)",
        "g = 0 for i = 1, 9 do g = g + i h = g end print(g, h)",
        "local a, b, c = nil, false, 'x' for i = 1, 4 do "
            + "if a then print(1) elseif b then print(2) elseif c then print(3) end "
            + "a, b, c = b, c, a end",
        "for i = 1, 6 do if i == 2 or i ~= 4 and i <= 5 and not (i < 3) then print(i) end end",
        "local s = 'a' for i = 1, 6 do if s == 'a' then s = 'b' elseif s ~= 'c' then s = 'c' "
            + "else s = nil end print(s) end",
        "local x = 0/0 for i = 1, 3 do print(x < i, x <= i, x > i, x >= i, x == x, x ~= x, "
            + "i < 2, 2 <= i, 2 > i, i >= 2) end",
        "for i = 1, 3 do local x, y = 'a' .. i, 'a2' print(x < y, x <= y, x == y, x ~= y) end",
        "local t = setmetatable({}, {__add = function(a, b) return b end, __lt = function() "
            + "return true end, __le = function() return false end, __eq = function() return true end, "
            + "__index = function(t, k) return k end, __call = function(_, x) return x * 2 end}) "
            + "local u = setmetatable({}, getmetatable(t)) "
            + "for i = 1, 3 do print(t + i, t < u, t <= u, t == u, t.x, t[i], t(i)) end",
        "local n = 0 for i = 1, 5 do for j = i, 5 do for k = 1, 2 do n = n + i * j * k "
            + "if n > 1000 then break end end end end print(n)",
        "local function sum(n) local s = 0 for i = 1, n do s = s + (n > 1 and sum(n - 1) or 1) end "
            + "return s end print(sum(6))",
        "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end print(fib(12))",
        "local function down(n) if n == 0 then return 0 end local r = down(n - 1) return r + n end "
            + "print(down(30), down(500))",
        "local function f(n) local m = n * 2 if n == 0 then error({}) end f(n - 1) return m end "
            + "local function g(n) local m = n + 1 local ok = pcall(f, n) return ok, m end "
            + "for i = 1, 4 do print(i, g(i), i) end",
        "local function y(n) local m = n * 3 coroutine.yield(m) return m + 1 end "
            + "local co = coroutine.wrap(function() local s = 0 for i = 1, 4 do s = s + y(i) end return s end) "
            + "for i = 1, 5 do print(co()) end",
        "local function t(n) if n > 0 then return t(n - 1) end return 'end' end print(t(1000))",
        "local function v(a, b, ...) local n = select('#', ...) return n + a, b, ... end "
            + "print(v(1, 2, 3, 4), (v(5)))",
        "local function r(n) return r(n + 1) + 1 end print(pcall(r, 1))",
        "local function find(n) for i = 1, 100 do if i * i > n then return i, n end end end "
            + "print(find(50), (find(80)))",
        "local function last(n) for i = 1, n do if i == 3 then return tostring(i) end end end "
            + "print(last(5))",
        "local f = coroutine.wrap(function() for i = 1, 5 do coroutine.yield(i) end return 'end' end) "
            + "for i = 1, 6 do print(f()) end",
        "for i = 1, 5 do print(pcall(function(x) if x == 3 then error('no') end return x end, i)) end",
        "for i = 1, 4 do local n = i * 2 print(pcall(error, n), n) "
            + "print(coroutine.resume(coroutine.create(error), n), n) end",
        "local co = coroutine.create(function() end) for i = 1, 3 do local n = i + 0.5 "
            + "print(n, coroutine.resume(co), n, xpcall(error, function() return i end), n) end",
        "print(pcall(function() for i = 1, 5 do local t = i > 3 and nil or {} t.x = i end end))",
        "print(pcall(function() local s = 0 for i = 1, 5 do s = s + undefined end end))",
        "print(pcall(function() for i = 1, 5 do local a = i < 'x' end end))",
        "print(pcall(function() for i = 1, 5 do for j = 1, {} do end end end))",
        "local function f(...) for i = 1, 3 do local t = {i, ...} print(#t, select('#', ...)) end end "
            + "f(1, nil, 3)",
        "local s = 0 for i = 1, 50 do s = s + math.floor(i / 3) % 7 + math.max(i, 3, 9) end print(s)",
        "local s = 0 for i = 1, 9 do local f = math.floor s = s + f(i / 2) + math.sqrt(tostring(i)) "
            + "+ f(s, nil) if i > 7 then f = nil end print(s, f and f('7.5'), pcall(f, {})) end",
        "for i = 1, 3 do print(math.abs(-i), (math.abs(i == 2 and 'x' or i))) end",
        "local o = {n = 1} function o:add(x) self.n = self.n + x return self end "
            + "for i = 1, 5 do o:add(i):add(i) end print(o.n)",
        "local e = {print = print} for i = 1, 3 do if i == 2 then setfenv(1, e) end print(i, x) end",
        "local t = {} for i = 1, 300 do t[#t + 1] = 'item:' .. i end print(#table.concat(t, ','))",
      })
  void compiledCode_printsTheSame(String source) {
    String interpreted = output(source, p -> {});
    assertThat(interpreted).isNotEmpty();
    assertThat(output(source, p -> Chunk.compile(p, f -> false))).isEqualTo(interpreted);
    assertThat(output(source, p -> Chunk.compile(p, f -> true))).isEqualTo(interpreted);
    assertThat(output(source, JvmCompilerTest::compileFunctionsInside)).isEqualTo(interpreted);
  }

  private static void compileFunctionsInside(Prototype main) {
    for (Prototype p : main.functions) p.function(JvmCompiler.compileFunction(p));
  }

  private static String output(String source, Consumer<Prototype> prepare) {
    StringBuilder out = new StringBuilder();
    LuaState state = Chunk.state(out);
    try {
      LuaClosure chunk = Chunk.compile(state, source);
      prepare.accept(chunk.code);
      state.execution().start(chunk);
      Execution.Status status = Execution.Status.SUSPENDED;
      while (status == Execution.Status.SUSPENDED) status = state.execution().run(TICKS);
      if (status == Execution.Status.FAILED) out.append(Chunk.errorOf(state));
    } catch (LuaError e) {
      out.append(Chunk.text(e.value()));
    }
    return out.toString();
  }

  @Test
  void manyRegisters_keepTheirNumbers() {
    StringBuilder source = new StringBuilder();
    for (int i = 0; i < 40; i++) source.append("local v" + i + " = " + i + " ");
    source.append("for i = 1, 10 do ");
    for (int i = 0; i < 40; i++) source.append("v" + i + " = v" + (39 - i) + " + i ");
    source.append("end print(v0, v1, v20, v30, v38, v39)");
    String interpreted = output(source.toString(), p -> {});
    String compiled = output(source.toString(), p -> Chunk.compile(p, f -> false));
    assertThat(compiled).isEqualTo(interpreted);
  }

  @Test
  void aLoopThatIsTooLong_isNotCompiled() {
    String body = "n = n + i ".repeat(500);
    LuaState state = Chunk.state(new StringBuilder());
    Prototype p = Chunk.compile(state, "local n = 0 for i = 1, 9 do " + body + "end").code;
    assertThat(JvmCompiler.compileLoop(p, endOfLoop(p))).isNull();
  }

  @Test
  void aLoopThatRunsOften_isCompiled() throws Exception {
    LuaState state = Chunk.state(new StringBuilder());
    LuaClosure chunk = Chunk.compile(state, "local n = 0 for i = 1, 1e5 do n = n + i end return n");
    int end = endOfLoop(chunk.code);
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (Op.op(chunk.code.code[end]) != Op.COMPILED && System.nanoTime() < deadline) {
      assertThat(result(state, chunk)).isEqualTo(5000050000.0);
      Thread.sleep(1);
    }
    CompiledCode loop = chunk.code.loop(end);
    assertThat(loop).isInstanceOf(JvmCode.class);
    for (int i = 0; i < 50; i++) assertThat(result(state, chunk)).isEqualTo(5000050000.0);
    assertThat(chunk.code.loop(end)).isSameAs(loop);
  }

  @Test
  void aFunctionThatIsCalledOften_isCompiled() throws Exception {
    LuaState state = Chunk.state(new StringBuilder());
    LuaClosure chunk =
        Chunk.compile(
            state, "local function f(n) return n > 0 and f(n - 1) or 7 end return f(5000)");
    Prototype f = chunk.code.functions[0];
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!(f.function() instanceof JvmCode) && System.nanoTime() < deadline) {
      assertThat(result(state, chunk)).isEqualTo(7.0);
      Thread.sleep(1);
    }
    assertThat(f.function()).isInstanceOf(JvmCode.class);
    assertThat(result(state, chunk)).isEqualTo(7.0);
  }

  private static @Nullable Object result(LuaState state, LuaClosure chunk) {
    state.execution().start(chunk);
    assertThat(state.execution().run()).isEqualTo(Execution.Status.FINISHED);
    return state.execution().result(1);
  }

  @Test
  void aCompiledLoopWithoutEnd_isStopped() throws Exception {
    LuaState state = Chunk.state(new StringBuilder());
    LuaClosure chunk = Chunk.compile(state, "while true do end");
    Chunk.compile(chunk.code, p -> true);
    state.execution().start(chunk);
    assertThat(state.execution().run(5000)).isEqualTo(Execution.Status.SUSPENDED);
    state.stop("enough");
    assertThat(state.execution().run()).isEqualTo(Execution.Status.FAILED);
    assertThat(state.execution().isStopped()).isTrue();
  }

  private static int endOfLoop(Prototype p) {
    long[] code = p.interpretedCode();
    int pc = 0;
    while (Op.op(code[pc]) != Op.FORLOOP) pc++;
    return pc;
  }
}
