package dev.kermes.tools.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import dev.kermes.tools.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code kermes server --metrics-port} as a process. */
final class MetricsServerTest {

  private static final Pattern URL = Pattern.compile(".*Metrics at (http://[^ ]+)");

  @TempDir Path folder;

  @Test
  void metricsPort_servesThePageUntilTheServerEnds() throws Exception {
    Process process =
        Programs.start(
            Main.class, "--port", "0", "--dir", folder.toString(), "--metrics-port", "0");
    String url = urlIn(process.inputReader());
    HttpURLConnection page = (HttpURLConnection) URI.create(url).toURL().openConnection();
    try (InputStream in = page.getInputStream()) {
      assertThat(new String(in.readAllBytes(), UTF_8)).contains("\nredis_up 1\n");
    }
    assertThat(page.getContentType()).isEqualTo(MetricsPage.CONTENT_TYPE);
    process.toHandle().destroy(); // SIGTERM, and the log stays readable
    assertThat(Programs.finish(process, "").err()).isEmpty();
  }

  @Test
  void metricsPort_inAFile_isTheSame() throws Exception {
    Path file = Files.writeString(folder.resolve("a.conf"), "port 0\nmetrics-port 0\n");
    Process process = Programs.start(Main.class, file.toString(), "--dir", folder.toString());
    assertThat(urlIn(process.inputReader())).startsWith("http://127.0.0.1:");
    process.toHandle().destroy();
    Programs.finish(process, "");
  }

  @Test
  void wrongPortInAFile_isReportedWithItsLine_likeOtherOptions() throws Exception {
    Path file = Files.writeString(folder.resolve("a.conf"), "port 0\nmetrics-port 0x\n");
    Process process = Programs.start(Main.class, file.toString(), "--dir", folder.toString());
    Result result = Programs.finish(process, "");
    assertThat(result.err())
        .isEqualTo("kermes: " + file + ":2: not a port: metrics-port=0x" + System.lineSeparator());
  }

  @Test
  void mistakes_oneMessage() throws Exception {
    assertFails(Main.class, "0x", "not a port: metrics-port=0x");
    assertFails(Main.class, "65536", "not a port: metrics-port=65536");
    assertFails(dev.kermes.cli.Main.class, "0", "metrics-port: give it on the command line of ");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertFails(Main.class, String.valueOf(taken.getLocalPort()), "metrics-port: ");
    }
  }

  private void assertFails(Class<?> main, String port, String message) throws Exception {
    Process process =
        Programs.start(main, "--port", "0", "--dir", folder.toString(), "--metrics-port", port);
    Result result = Programs.finish(process, "");
    assertThat(result.err()).startsWith("kermes: " + message).hasLineCount(1);
    assertThat(result.status()).isEqualTo(1);
  }

  private static String urlIn(BufferedReader log) throws IOException {
    while (true) {
      String line = log.readLine();
      if (line == null) throw new IllegalStateException("ended");
      Matcher url = URL.matcher(line);
      if (url.matches()) return url.group(1);
    }
  }
}
