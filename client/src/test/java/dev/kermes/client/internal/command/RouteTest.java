package dev.kermes.client.internal.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.commands.HashSlots;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteTest {
  private static int slot(String key) {
    return HashSlots.of(key.getBytes(UTF_8));
  }

  @Test
  void slot_ofCommands() {
    assertThat(Route.of(EncodedCommand.of("get", "foo")).slot()).isEqualTo(12_182);
    assertThat(Route.of(EncodedCommand.of("EVAL", "return 1", "1", "foo", "x")).slot())
        .isEqualTo(12_182);
    assertThat(Route.of(EncodedCommand.of("XINFO", "STREAM", "foo")).slot()).isEqualTo(12_182);
    assertThat(Route.of(EncodedCommand.of("MODULE.DO", "foo", "x")).slot()).isEqualTo(12_182);
    assertThat(Route.of(EncodedCommand.of("SPUBLISH", "foo", "x")).slot()).isEqualTo(12_182);
    assertThat(Route.of(EncodedCommand.of("PUBLISH", "foo", "x")).slot()).isEqualTo(Route.NO_KEYS);
    assertThat(Route.of(EncodedCommand.of("PING")).slot()).isEqualTo(Route.NO_KEYS);
    assertThat(Route.of(EncodedCommand.of("SINTER", "a", "b")).slot())
        .isEqualTo(Route.CROSSES_SLOTS);
    assertThat(Route.of(EncodedCommand.of("SINTER", "a", "{a}b")).slot()).isEqualTo(slot("a"));
    assertThat(Route.slotOf(List.of(EncodedCommand.of("GET", "a"), EncodedCommand.of("PING"))))
        .isEqualTo(slot("a"));
  }
}
