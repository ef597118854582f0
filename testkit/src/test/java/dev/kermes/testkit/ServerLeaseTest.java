package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Leases of the shared server, when that is a real one that fails. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ServerLeaseTest {

  private final RedisServer real = RedisServer.start();

  @AfterEach
  void close() {
    System.clearProperty(TestServer.URL_PROPERTY);
    real.close();
  }

  @Test
  void shared_whoseResetFails_endsAndLeavesRoomForTheNext() {
    ServerLease.closeUnused();
    System.setProperty(TestServer.URL_PROPERTY, real.url());
    try (ServerLease lease = ServerLease.shared()) {
      assertThat(lease.server().client().blocking().ping()).isEqualTo("PONG");
    }
    real.close();
    assertThatThrownBy(ServerLease::shared)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the real server cannot be reset");
    try (RedisServer next = RedisServer.start()) {
      System.setProperty(TestServer.URL_PROPERTY, next.url());
      try (ServerLease lease = ServerLease.shared()) {
        assertThat(lease.server().client().blocking().ping()).isEqualTo("PONG");
      }
      ServerLease.closeUnused();
    }
  }
}
