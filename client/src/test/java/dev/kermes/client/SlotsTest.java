package dev.kermes.client;

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
    assertThat(Route.of(Command.of("get", "foo")).slot()).isEqualTo(12_182);
    assertThat(Route.of(Command.of("EVAL", "return 1", "1", "foo", "x")).slot()).isEqualTo(12_182);
    assertThat(Route.of(Command.of("XINFO", "STREAM", "foo")).slot()).isEqualTo(12_182);
    assertThat(Route.of(Command.of("MODULE.DO", "foo", "x")).slot()).isEqualTo(12_182);
    assertThat(Route.of(Command.of("SPUBLISH", "foo", "x")).slot()).isEqualTo(12_182);
    assertThat(Route.of(Command.of("PUBLISH", "foo", "x")).slot()).isEqualTo(Route.NO_KEYS);
    assertThat(Route.of(Command.of("PING")).slot()).isEqualTo(Route.NO_KEYS);
    assertThat(Route.of(Command.of("SINTER", "a", "b")).slot()).isEqualTo(Route.CROSSES_SLOTS);
    assertThat(Route.of(Command.of("SINTER", "a", "{a}b")).slot()).isEqualTo(slot("a"));
    assertThat(Route.slotOf(List.of(Command.of("GET", "a"), Command.of("PING"))))
        .isEqualTo(slot("a"));
  }
}
