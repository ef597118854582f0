package dev.kermes.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Checks how connections show their addresses. */
final class NoConnectionTest {

  @Test
  void peerIp_hasNoBrackets() {
    assertThat(new NoConnection("[::1]:6379").peerIp()).isEqualTo("::1");
    assertThat(new NoConnection("127.0.0.1:6379").peerIp()).isEqualTo("127.0.0.1");
    assertThat(new NoConnection("?:0").peerIp()).isEqualTo("?");
  }
}
