package dev.kermes.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.config.Settings;
import dev.kermes.server.data.Slice;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.execution.CommandExecutor;
import dev.kermes.server.execution.NoConnection;
import dev.kermes.server.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slices of arguments: which of them a handler may hold together, and for how long. */
final class ArgumentListTest {

  private final CommandTable table = CommandTable.standard();
  private final CommandSpec spec = Objects.requireNonNull(table.find(bytes("MSET"), 0, 4));
  private Call call;

  @BeforeEach
  void open() {
    RespWriter out = new RespWriter(64);
    Engine engine =
        new Engine(Clock.system(), new SplittableRandom(1), new Settings(), table, null);
    call = new Call(engine, new CommandExecutor(engine, table, out, deadline -> {}), out);
    engine.keyspace().lock().lock();
    call.session(engine.clients().open(new NoConnection("127.0.0.1:1")));
    engine.keyspace().lock().unlock(0);
  }

  /** Loads a command of that many arguments of one digit or two: 0, 1, 2, … */
  private void load(int argc) {
    StringBuilder text = new StringBuilder();
    int[] slices = new int[2 * argc];
    for (int i = 0; i < argc; i++) {
      slices[2 * i] = text.length();
      slices[2 * i + 1] = Integer.toString(i).length();
      text.append(i);
    }
    call.load(spec, bytes(text.toString()), slices, 0, argc);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(Slice slice) {
    return new String(slice.copy(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void firstArguments_areHeldTogether() {
    load(8);
    Slice[] held = new Slice[8];
    for (int i = 0; i < 8; i++) held[i] = call.slice(i);
    for (int i = 0; i < 8; i++) assertThat(text(held[i])).isEqualTo(Integer.toString(i));
  }

  @Test
  void eightNeighbours_areHeldBesideTheFirstArguments() {
    load(60);
    Slice key = call.slice(1);
    for (int first = 2; first + 8 <= 60; first++) {
      Slice[] held = new Slice[8];
      for (int i = 0; i < 8; i++) held[i] = call.slice(first + i);
      for (int i = 0; i < 8; i++) assertThat(text(held[i])).isEqualTo("" + (first + i));
    }
    assertThat(text(key)).isEqualTo("1");
  }

  @Test
  void sliceFails_onceItsViewHasMoved() {
    load(60);
    Slice early = call.slice(20);
    assertThat(text(call.slice(20))).isEqualTo("20");
    assertThat(text(early)).isEqualTo("20");
    assertThat(text(call.slice(28))).isEqualTo("28");
    assertThatThrownBy(early::copy).isInstanceOf(AssertionError.class);
  }

  @Test
  void sliceFails_afterItsCommand() {
    load(4);
    Slice key = call.slice(1);
    load(4);
    assertThatThrownBy(key::array).isInstanceOf(AssertionError.class);
    assertThat(text(call.slice(1))).isEqualTo("1");
  }
}
