package dev.kermes.client.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerWaitTest {

  @Test
  void nanos_isReadFromTheArgumentThatTheTableNames() {
    assertThat(wait("BLPOP", "k", "l", "2")).isEqualTo(Duration.ofSeconds(2));
    assertThat(wait("blmpop", "0.5", "1", "k", "LEFT")).isEqualTo(Duration.ofMillis(500));
    assertThat(wait("BLMOVEM", "k", "l", "LEFT", "LEFT", "3", "COUNT", "2", "OBO"))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(wait("WAIT", "1", "40")).isEqualTo(Duration.ofMillis(40));
    assertThat(wait("XREAD", "BLOCK", "70", "STREAMS", "k", "$")).isEqualTo(Duration.ofMillis(70));
  }

  @Test
  void nanos_isZeroForCommandsThatDoNotWait() {
    assertThat(wait("LPOP", "k")).isZero();
    assertThat(wait("XREAD", "STREAMS", "k", "0")).isZero();
  }

  @Test
  void nanos_hasNoBoundIfTheLimitIsMissingOrUnreadable() {
    assertThat(ServerWait.nanos(EncodedCommand.of("BLPOP", "k", "0"))).isEqualTo(Long.MAX_VALUE);
    assertThat(ServerWait.nanos(EncodedCommand.of("BLPOP", "k", "x"))).isEqualTo(Long.MAX_VALUE);
    assertThat(ServerWait.nanos(EncodedCommand.of("XREAD", "BLOCK"))).isEqualTo(Long.MAX_VALUE);
  }

  private static Duration wait(String name, String... arguments) {
    return Duration.ofNanos(ServerWait.nanos(EncodedCommand.of(name, arguments)));
  }
}
