package dev.kermes.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.lua.Execution.Status;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExecutionTest {

  private final StringBuilder out = new StringBuilder();
  private final LuaState state = Chunk.state(out);
  private final Execution execution = state.execution();

  private void start(String source, Object... arguments) {
    execution.start(Chunk.compile(state, source), arguments);
  }

  @Test
  void run_passesArgumentsAndResults() {
    start("local a, b = ... return a + b, 'x', nil, true", 1.0, 2.0);
    assertThat(execution.run()).isEqualTo(Status.FINISHED);
    assertThat(execution.resultCount()).isEqualTo(4);
    assertThat(execution.result(1)).isEqualTo(3.0);
    assertThat(execution.result(2)).isEqualTo(LuaString.of("x"));
    assertThat(execution.result(3)).isNull();
    assertThat(execution.result(4)).isEqualTo(true);
  }

  @Test
  void run_afterFaultOfNativeFunction_startsAfresh() {
    state.globals().put("fault", (LuaFunction) call -> Math.floorDiv(1, 0));
    start("fault()");
    assertThatThrownBy(execution::run).isInstanceOf(ArithmeticException.class);
    start("return 1");
    assertThat(execution.run()).isEqualTo(Status.FINISHED);
  }

  @Test
  void unpack_ofSmallestIntegers_returnsNils() {
    start("return select('#', unpack({1}, -2147483648, -2147483646)), ({1})[-2147483648]");
    assertThat(execution.run()).isEqualTo(Status.FINISHED);
    assertThat(execution.result(1)).isEqualTo(3.0);
    assertThat(execution.result(2)).isNull();
  }

  @Test
  void run_keysEqualToConstantsButNotTheSame_areFound() {
    start(
        """
        local t = {}
        t['na' .. 'me'] = 'old'
        local before = t.name
        t.name = 7
        t.name = t.name + 1
        local key = 'na' .. 'me'
        local isEqual = key == 'name' and not (key ~= 'name') and key ~= 'other'
        _G['nu' .. 'mber'] = 3
        return before, t[key], isEqual, number, t.none, #(key .. 's')
        """);
    assertThat(execution.run()).isEqualTo(Status.FINISHED);
    assertThat(execution.result(1)).isEqualTo(LuaString.of("old"));
    assertThat(execution.result(2)).isEqualTo(8.0);
    assertThat(execution.result(3)).isEqualTo(true);
    assertThat(execution.result(4)).isEqualTo(3.0);
    assertThat(execution.result(5)).isNull();
    assertThat(execution.result(6)).isEqualTo(5.0);
  }

  @Test
  void run_suspendsAnywhereAndResumes() {
    String source =
        """
        local log = {}
        local mt = {__add = function(a, b) for i = 1, 20 do end return 5 end,
          __lt = function(a, b) for i = 1, 20 do end return true end,
          __concat = function(a, b) for i = 1, 20 do end return 'c' end}
        local t = setmetatable({}, mt)
        local co = coroutine.wrap(function() for i = 1, 50 do coroutine.yield(i) end end)
        local sum = 0
        for i = 1, 30 do
          sum = sum + (t + 1) + co()
          local ok, e = pcall(function() for j = 1, 10 do end if i % 2 == 0 then error('x') end end)
          if not ok then sum = sum + #e end
          if t < t then sum = sum + 1 end
          sum = sum + #(t .. 'x' .. 'y')
        end
        local s = {5, 3, 9, 1, 7, 2}
        table.sort(s, function(a, b) for i = 1, 10 do end return a < b end)
        local g = ('abc'):gsub('%w', function(c) for i = 1, 10 do end return c .. c end)
        table.foreach({1, 2}, function(k, v) for i = 1, 10 do end sum = sum + v end)
        return sum .. table.concat(s) .. g
        """;
    String expected = Chunk.resultOf(source);
    for (int ticks = 1; ticks < 40; ticks += 3) {
      start(source);
      int slices = 1;
      while (execution.run(ticks) == Status.SUSPENDED) slices++;
      assertThat(execution.error()).isNull();
      assertThat(Chunk.text(execution.result(1))).isEqualTo(expected);
      assertThat(slices).isGreaterThan(20);
    }
  }

  @Test
  void stop_endsLoopsWhateverTheyCatch() {
    String[] endless = {
      "while true do end",
      "repeat until false",
      "for i = 1, 1/0 do end",
      "while true do pcall(function() while true do end end) end",
      "local function f() return f() end f()",
      "coroutine.wrap(function() while true do end end)()",
      "xpcall(function() while true do end end, function() while true do end end)",
      "table.sort({3, 2, 1}, function() while true do end end)",
      "for i in function() return 1 end do end",
      "setmetatable(_G, {__index = function() while true do end end}) return nosuch"
    };
    for (String source : endless) {
      LuaState fresh = Chunk.state(new StringBuilder());
      fresh.execution().start(Chunk.compile(fresh, source));
      assertThat(fresh.execution().run(10_000)).as(source).isEqualTo(Status.SUSPENDED);
      fresh.stop("killed");
      assertThat(fresh.execution().run(10_000)).as(source).isEqualTo(Status.FAILED);
      assertThat(fresh.execution().isStopped()).isTrue();
      assertThat(Chunk.errorOf(fresh)).isEqualTo("killed");
    }
  }

  @Test
  void stop_endsLongLibraryCalls() {
    LuaState fresh = Chunk.state(new StringBuilder());
    LuaFunction stop = call -> call.state().stop("enough");
    fresh.globals().put("stop", stop);
    String source =
        "stop() return pcall(string.find, ('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40) .. 'b')";
    fresh.execution().start(Chunk.compile(fresh, source));
    assertThat(fresh.execution().run()).isEqualTo(Status.FAILED);
    assertThat(fresh.execution().isStopped()).isTrue();
  }

  @Test
  void start_afterStop_runsAgain() {
    start("while true do end");
    state.stop("killed");
    assertThat(execution.run()).isEqualTo(Status.FAILED);
    start("return 1");
    assertThat(execution.run()).isEqualTo(Status.FINISHED);
    assertThat(execution.result(1)).isEqualTo(1.0);
  }

  @Test
  void start_whileUnderWay_isRefused() {
    start("while true do end");
    assertThat(execution.run(100)).isEqualTo(Status.SUSPENDED);
    assertThatThrownBy(() -> start("return 1")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memory_isBounded() {
    String[] greedy = {
      "return ('x'):rep(1e9)",
      "local s = 'x' while true do s = s .. s end",
      "local t = {} for i = 1, 1e9 do t[i] = i end",
      "local t = {} for i = 1, 1e9 do t['k' .. i] = {} end",
      "local t = {} for i = 1, 1e9 do t[#t + 1] = function() return i end end",
      "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(function() end) end",
      "return table.concat({('x'):rep(9e6), ('x'):rep(9e6)})",
      "return ('x'):rep(1e6):gsub('x', ('y'):rep(1000))",
      "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(100) .. i end return cjson.encode(t)"
    };
    for (String source : greedy) {
      LuaState small = Chunk.state(new StringBuilder(), LuaLimits.DEFAULT.withMemory(16 << 20));
      small.execution().start(Chunk.compile(small, source));
      assertThat(small.execution().run()).as(source).isEqualTo(Status.FAILED);
      assertThat(Chunk.errorOf(small)).as(source).isEqualTo("not enough memory");
    }
  }

  @Test
  void memory_ofGarbageIsNotCounted() {
    LuaState small = Chunk.state(new StringBuilder(), LuaLimits.DEFAULT.withMemory(16 << 20));
    String source = "for i = 1, 1e5 do local t = {('x'):rep(1000)} end return 'done'";
    small.execution().start(Chunk.compile(small, source));
    assertThat(small.execution().run()).isEqualTo(Status.FINISHED);
    assertThat(small.usedBytes()).isLessThan(16 << 20);
  }

  @Test
  void readOnlyTable_refusesScripts() {
    state.globals().put("t", state.newTable().put("x", 1.0).readOnly(true));
    String refused = "s:1: Attempt to modify a readonly table";
    for (String change : new String[] {"t.x = 2", "t.y = 2", "t[1] = 1", "t[{}] = 1"}) {
      start(change);
      assertThat(execution.run()).isEqualTo(Status.FAILED);
      assertThat(Chunk.errorOf(state)).endsWith("Attempt to modify a readonly table");
    }
    start("rawset(t, 'x', 1)");
    execution.run();
    assertThat(refused).endsWith(Chunk.errorOf(state));
    start("setmetatable(t, {})");
    execution.run();
    assertThat(refused).endsWith(Chunk.errorOf(state));
    start("return t.x");
    assertThat(execution.run()).isEqualTo(Status.FINISHED);
  }

  @Test
  void error_namesItsPosition() {
    LuaClosure chunk = state.compile("local x = 1\nlocal y = x.z.w\n", "@user_script");
    execution.start(chunk);
    assertThat(execution.run()).isEqualTo(Status.FAILED);
    assertThat(execution.errorSource()).isEqualTo(LuaString.of("@user_script"));
    assertThat(execution.errorLine()).isEqualTo(2);
  }

  @Test
  void javaFunction_readsAndPushesWithoutBoxes() {
    AtomicInteger calls = new AtomicInteger();
    LuaFunction add =
        call -> {
          calls.incrementAndGet();
          call.push(call.number(1) + call.number(2));
          call.push(LuaString.of("n=" + call.count()));
        };
    state.globals().put("add", add);
    start("local s = 0 for i = 1, 10 do s = add(s, i) end return s, add(1, 2, 3)");
    assertThat(execution.run()).isEqualTo(Status.FINISHED);
    assertThat(execution.result(1)).isEqualTo(55.0);
    assertThat(execution.result(3)).isEqualTo(LuaString.of("n=3"));
    assertThat(calls).hasValue(11);
  }

  @Test
  void compile_anySource_returnsAFunctionOrALuaError() {
    Random random = new Random(7);
    for (int i = 0; i < 3000; i++) {
      byte[] source = i % 3 == 0 ? randomBytes(random) : mutated(random, i);
      LuaState fresh = Chunk.state(new StringBuilder(), LuaLimits.DEFAULT.withMemory(32 << 20));
      try {
        fresh.execution().start(fresh.compile(source, LuaString.of("=fuzz")));
        Status status = fresh.execution().run(20_000);
        assertThat(status).isNotNull();
      } catch (LuaError e) {
        assertThat(e.getMessage()).contains("fuzz");
      }
    }
  }

  private static byte[] randomBytes(Random random) {
    byte[] bytes = new byte[random.nextInt(60)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] mutated(Random random, int seed) {
    byte[] bytes = RandomProgram.of(seed).getBytes(StandardCharsets.ISO_8859_1);
    for (int i = random.nextInt(6); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      if (random.nextBoolean()) bytes[at] = (byte) random.nextInt(256);
      else bytes[at] = bytes[random.nextInt(bytes.length)];
    }
    return bytes;
  }

  @Test
  void compile_deepNesting_isAnError() {
    String[] deep = {
      "return " + "(".repeat(100_000) + "1" + ")".repeat(100_000),
      "return " + "{".repeat(100_000) + "}".repeat(100_000),
      "return " + "not ".repeat(100_000) + "1",
      "return 1" + " .. 1".repeat(100_000),
      "do ".repeat(100_000) + "end ".repeat(100_000),
      "local f = " + "function() return ".repeat(1000) + "1" + " end".repeat(1000)
    };
    for (String source : deep) {
      assertThatThrownBy(() -> Chunk.compile(state, source))
          .isInstanceOf(LuaError.class)
          .hasMessageContaining("chunk has too many syntax levels");
    }
  }

  @Test
  void compile_longChains_returnAFunctionOrAnError() {
    String[] long_ = {
      "return 1" + " + x".repeat(100_000), "return x" + ".x".repeat(100_000),
      "return x" + "()".repeat(100_000), "return x" + " and x".repeat(100_000)
    };
    for (String source : long_) {
      assertThatThrownBy(() -> Chunk.compile(state, source))
          .isInstanceOf(LuaError.class)
          .hasMessageContaining("function or expression too complex");
    }
  }

  @Test
  void recursion_endsWithStackOverflow() {
    start("local function f() return 1 + f() end return f()");
    assertThat(execution.run()).isEqualTo(Status.FAILED);
    assertThat(Chunk.errorOf(state)).isEqualTo("s:1: stack overflow");
  }

  @Test
  void pattern_thatNestsTooDeep_isAnError() {
    assertThat(Chunk.resultOf("return ('x'):rep(1000):find(('x?'):rep(1000))"))
        .contains("pattern too complex");
  }
}
