package dev.kermes.lua;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.lua.compile.Prototype;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Checks that ours and the machine's {@code lua5.1} print the same, byte for byte, errors included:
 * interpreted, and with loops and functions compiled.
 */
class LuaDifferentialTest {

  /** The code that is compiled to JVM bytecode before it runs. */
  private enum Compiled {
    NOTHING,
    LOOPS,
    LOOPS_AND_SOME_FUNCTIONS,
    ALL;

    void prepare(Prototype main) {
      switch (this) {
        case NOTHING -> {}
        case LOOPS -> Chunk.compile(main, p -> false);
        case LOOPS_AND_SOME_FUNCTIONS -> Chunk.compile(main, p -> p.code.length % 2 == 0);
        case ALL -> Chunk.compile(main, p -> true);
      }
    }
  }

  private static final int PROGRAMS = 400;
  private static final long TICKS_MAX = 300_000;

  @Test
  void snippets_printTheSame() throws Exception {
    List<String> snippets = snippets();
    List<String> expected = RealLua.outputsOf(snippets);
    assertThat(expected).hasSameSizeAs(snippets).hasSizeGreaterThan(500);
    for (int i = 0; i < snippets.size(); i++) {
      String real = withoutAddresses(expected.get(i));
      String source = snippets.get(i);
      for (Compiled compiled : Compiled.values()) {
        String ours = withoutAddresses(output(source, compiled));
        assertThat(ours).as("%s: %s", compiled, source).isEqualTo(real);
      }
    }
  }

  @Test
  void randomPrograms_printTheSame() throws Exception {
    List<String> programs = new ArrayList<>();
    for (int seed = 0; seed < PROGRAMS; seed++) programs.add(RandomProgram.of(seed));
    List<String> expected = RealLua.outputsOf(programs);
    int tooLong = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      String real = expected.get(seed);
      String ours = output(programs.get(seed), Compiled.NOTHING);
      if (real.contains(RealLua.TOO_LONG) || ours.contains(RealLua.TOO_LONG)) {
        tooLong++;
        continue;
      }
      assertThat(ours).as("seed=%s%n%s", seed, programs.get(seed)).isEqualTo(real);
      assertCompiledPrint(programs.get(seed), ours);
    }
    assertThat(tooLong).isLessThan(PROGRAMS / 20);
  }

  private static void assertCompiledPrint(String program, String expected) {
    for (Compiled compiled : EnumSet.complementOf(EnumSet.of(Compiled.NOTHING))) {
      assertThat(output(program, compiled)).as("%s:%n%s", compiled, program).isEqualTo(expected);
    }
  }

  private static String withoutAddresses(String output) {
    return output.replaceAll("(table|function|thread|userdata): 0x[0-9a-f]+", "$1");
  }

  private static List<String> snippets() throws IOException {
    try (InputStream in = LuaDifferentialTest.class.getResourceAsStream("snippets.lua")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), ISO_8859_1);
      return List.of(all.strip().split("\n---\n"));
    }
  }

  private static String output(String source, Compiled compiled) {
    StringBuilder out = new StringBuilder();
    LuaState state = Chunk.state(out);
    try {
      LuaClosure chunk = Chunk.compile(state, source);
      compiled.prepare(chunk.code);
      LuaTable metatable = state.newTable().put("__index", state.globals());
      LuaTable globals = state.newTable();
      globals.metatable(metatable);
      chunk.globals(globals);
      state.execution().start(chunk);
      switch (state.execution().run(TICKS_MAX)) {
        case SUSPENDED -> out.append(RealLua.TOO_LONG);
        case FAILED -> out.append(Chunk.errorOf(state)).append('\n');
        case FINISHED -> {}
      }
    } catch (LuaError e) {
      out.append(Chunk.text(e.value())).append('\n');
    }
    return out.toString();
  }
}
