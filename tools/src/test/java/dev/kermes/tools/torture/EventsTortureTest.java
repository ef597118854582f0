package dev.kermes.tools.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import org.junit.jupiter.api.Test;

class EventsTortureTest {

  /** One fault of each kind, against a server of this JVM. */
  @Test
  void members_survivingFaults_loseNothing() throws Exception {
    try (RedisServer server = RedisServer.start();
        EventsTorture torture = new EventsTorture("redis://127.0.0.1:" + server.port(), 2000, 1)) {
      for (EventsTorture.Fault fault : EventsTorture.Fault.values()) {
        assertThat(torture.run(fault)).as("continues after " + fault).isTrue();
      }
      assertThat(torture.end()).isTrue();
      assertThat(torture.history().missing()).isZero();
      assertThat(torture.history().disorder()).isEmpty();
      assertThat(torture.history().emitted()).isGreaterThan(64);
    }
  }

  @Test
  void history_knowsWhatIsMissingRepeatedAndOutOfOrder() {
    EventsHistory history = new EventsHistory(1);
    for (int i = 0; i < 4; i++) history.emitted(0, i);
    for (int i : new int[] {0, 1, 2}) history.handled(0, i, 7);
    for (int i : new int[] {1, 2}) history.handled(0, i, 8);
    assertThat(history.missing()).isEqualTo(1);
    assertThat(history.repeated()).isEqualTo(2);
    assertThat(history.disorder()).isEmpty();
    history.handled(0, 4, 9);
    assertThat(history.disorder()).containsExactly("key 0: {7=[0, 1, 2], 8=[1, 2], 9=[4]}");
    history.flushed();
    assertThat(history.missing()).isZero();
    assertThat(history.disorder()).isEmpty();
    history.emitted(0, 5);
    assertThat(history.missing()).isEqualTo(1);
  }
}
