package dev.kermes.commands;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HashSlotsTest {
  private static int slot(String key) {
    return HashSlots.of(key.getBytes(UTF_8));
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
}
