package dev.kermes.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import dev.kermes.testing.ScriptedPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs against a peer that sends the same reply to each request. */
final class LoadGeneratorTest {

  private static LoadSettings settings(ScriptedPeer server, int clients, int pipeline) {
    return new LoadSettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
        1,
        clients,
        pipeline,
        new MemtierRequests(0, 1, 3, 99, 1),
        Duration.ofMillis(20),
        Duration.ofMillis(100));
  }

  private static ScriptedPeer replying(String reply) throws IOException {
    return new ScriptedPeer((conversation, request) -> conversation.reply(reply));
  }

  @Test
  void run_countsRepliesOfEveryConnection() throws Exception {
    try (ScriptedPeer server = replying("$3\r\nabc\r\n")) {
      LoadResult result = LoadGenerator.run(settings(server, 3, 4), () -> Double.NaN);
      assertThat(result.perConnection()).hasSize(3).allMatch(count -> count > 0);
      long counted = result.perConnection().stream().mapToLong(Long::longValue).sum();
      assertThat(result.latencies().getTotalCount()).isEqualTo(counted);
      assertThat(result.hits()).isEqualTo(counted);
      assertThat(result.figures().get(Figure.OPS.name())).isPositive();
      assertThat(result.figures().get(Figure.SERVER_CPU.name())).isNaN();
    }
  }

  @Test
  void run_errorReply_failsInsteadOfMeasuringIt() throws Exception {
    try (ScriptedPeer server = replying("-ERR no\r\n")) {
      assertThatThrownBy(() -> LoadGenerator.run(settings(server, 1, 1), () -> 0))
          .isInstanceOf(BenchmarkException.class)
          .hasMessageContaining("errors");
    }
  }
}
