package dev.kermes.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code kermes http} as a process. */
class HttpProgramTest {

  private static final Pattern SERVING =
      Pattern.compile("Serving (.+) on (http://[^ ]+) \\(\\w+\\)");

  @TempDir Path folder;

  private static String url(BufferedReader out) throws IOException {
    String line = String.valueOf(out.readLine());
    Matcher serving = SERVING.matcher(line);
    if (!serving.matches()) throw new IllegalStateException("did not start: " + line);
    return serving.group(2);
  }

  private static int status(String url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    return connection.getResponseCode();
  }

  @Test
  void serve_logsEachRequestAndASummary() throws Exception {
    Files.writeString(folder.resolve("a.txt"), "hello");
    Process process = Programs.start(Main.class, "http", folder.toString(), "--port", "0");
    String url = url(process.inputReader());
    try (InputStream in = URI.create(url + "/a.txt").toURL().openStream()) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("hello");
    }
    assertThat(status(url + "/b.txt")).isEqualTo(404);
    assertThat(status(url + "/")).isEqualTo(404);
    process.toHandle().destroy(); // SIGTERM, and the log stays readable
    Result result = Programs.finish(process, "");
    assertThat(result.out().lines())
        .anyMatch(
            line -> line.matches("127\\.0\\.0\\.1:\\d+  GET /a\\.txt  200  5 B  \\d+\\.\\d ms"))
        .anyMatch(line -> line.contains("GET /b.txt  404"))
        .last()
        .asString()
        .startsWith("3 requests, 2 of them failed, ");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void serve_list_showsFolders() throws Exception {
    Files.createDirectory(folder.resolve("sub"));
    Process process =
        Programs.start(Main.class, "http", folder.toString(), "--port", "0", "--list", "--quiet");
    String url = url(process.inputReader());
    try (InputStream in = URI.create(url + "/").toURL().openStream()) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains(">sub/</a>");
    }
    process.toHandle().destroy();
    assertThat(Programs.finish(process, "").out()).isEmpty();
  }

  @Test
  void mistakes_oneMessage() throws Exception {
    assertFails("not a folder: ", "http", folder.resolve("none").toString());
    assertFails("unknown option: --nosuch", "http", "--nosuch");
    assertFails("not a number: --port=x", "http", "--port", "x");
    assertFails("value missing: option=--port", "http", "--port");
  }

  private static void assertFails(String message, String... arguments) throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, arguments), "");
    assertThat(result.err()).startsWith("kermes: ").contains(message);
    assertThat(result.status()).isEqualTo(1);
  }
}
