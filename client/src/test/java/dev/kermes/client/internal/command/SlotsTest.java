package dev.kermes.client.internal.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static int slot(String key) {
    return Slots.of(key.getBytes(UTF_8));
  }

  @Test
  void of_isXmodemCrc() {
    assertThat(slot("123456789")).isEqualTo(0x31C3); // the checksum's own test value
    assertThat(slot("")).isZero();
    assertThat(slot("foo")).isEqualTo(12_182);
    assertThat(slot("größe")).isEqualTo(slot("{größe}x"));
  }

  @Test
  void of_hashTag() {
    assertThat(slot("{user1000}.following")).isEqualTo(slot("user1000"));
    assertThat(slot("foo{bar}{zap}")).isEqualTo(slot("bar"));
    assertThat(slot("foo{{bar}}zap")).isEqualTo(slot("{bar"));
    assertThat(slot("foo{}{bar}")).isNotEqualTo(slot("bar"));
    assertThat(slot("foo{bar")).isNotEqualTo(slot("bar"));
  }

  @Test
  void route_ofCommands() {
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
