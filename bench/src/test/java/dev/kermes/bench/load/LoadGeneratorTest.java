package dev.kermes.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Runs against a server that sends a fixed reply for each request, which it counts by its asterisk.
 */
final class LoadGeneratorTest {

  private static LoadSettings settings(ServerSocket server, int clients, int pipeline) {
    return new LoadSettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()),
        1,
        clients,
        pipeline,
        0,
        1,
        3,
        99,
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        1);
  }

  private static ServerSocket scripted(String reply) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) serve(server.accept(), reply.getBytes(StandardCharsets.US_ASCII));
          } catch (IOException e) {
            // The socket is closed: the test has ended.
          }
        });
    return server;
  }

  private static void serve(Socket socket, byte[] reply) {
    Thread.ofVirtual()
        .start(() -> {
          try (socket;
              InputStream in = socket.getInputStream();
              OutputStream out = socket.getOutputStream()) {
            byte[] buffer = new byte[4096];
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
              for (int i = 0; i < n; i++) if (buffer[i] == '*') out.write(reply);
            }
          } catch (IOException e) {
            // The load has ended.
          }
        });
  }

  @Test
  void run_countsRepliesOfEveryConnection() throws Exception {
    try (ServerSocket server = scripted("$3\r\nabc\r\n")) {
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
    try (ServerSocket server = scripted("-ERR no\r\n")) {
      assertThatThrownBy(() -> LoadGenerator.run(settings(server, 1, 1), () -> 0))
          .isInstanceOf(BenchmarkException.class)
          .hasMessageContaining("errors");
    }
  }
}
