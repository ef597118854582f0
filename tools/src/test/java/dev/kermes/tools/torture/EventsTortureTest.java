package dev.kermes.tools.torture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventsTortureTest {

  private static final EventsTorture.Load LOAD = new EventsTorture.Load(64, 3200);

  /** One fault of each kind that the servers can have. */
  private static void torture(EventsServers servers) throws Exception {
    Resumption resumption = new Resumption(4000);
    try (servers;
        EventsTorture torture = new EventsTorture(servers, LOAD, 3, 2000, 1, resumption)) {
      assertThat(torture.awaitStart()).isTrue();
      for (EventsTorture.Fault fault : torture.faults()) {
        assertThat(torture.run(fault)).as("continues after " + fault).isTrue();
      }
      assertThat(torture.end()).isTrue();
      assertThat(torture.history().missing()).isZero();
      assertThat(torture.history().disorder()).isEmpty();
      assertThat(torture.history().emitted()).isGreaterThan(64);
      assertThat(resumption.report().lines().count()).isEqualTo(torture.faults().size());
    }
  }

  @Test
  void members_survivingFaultsOfOneServer_loseNothing() throws Exception {
    torture(EventsServer.start());
  }

  @Test
  void members_survivingFaultsOfSentinelServers_loseNothing() throws Exception {
    torture(EventsSentinel.start());
  }

  @Test
  void members_survivingFaultsOfACluster_loseNothing() throws Exception {
    torture(EventsCluster.start());
  }

  @Test
  void resumption_reportsTrialsMedianLongestAndLate() {
    Resumption resumption = new Resumption(3000);
    for (long millis : new long[] {5, 3001, 7, 3000}) {
      resumption.add(EventsTorture.Fault.KILL, millis);
    }
    resumption.add(EventsTorture.Fault.CUT, 1);
    assertThat(resumption.late()).isEqualTo(1);
    assertThat(resumption.report())
        .isEqualToNormalizingNewlines(
            """
            resumed after KILL: trials=4, median=7 ms, longest=3001 ms, over 3000 ms=1
            resumed after CUT: trials=1, median=1 ms, longest=1 ms, over 3000 ms=0
            """);
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
    assertThat(history.disorder()).containsExactly("key 0: {7=[0-2], 8=[1-2], 9=[4]}");
    history.flushed();
    assertThat(history.missing()).isZero();
    assertThat(history.disorder()).isEmpty();
    history.emitted(0, 5);
    assertThat(history.missing()).isEqualTo(1);
  }
}
