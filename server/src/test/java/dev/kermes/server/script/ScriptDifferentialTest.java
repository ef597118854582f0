package dev.kermes.server.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.testing.comparison.ReplyComparison;
import dev.kermes.testing.RealRedis;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts, one per line, on our server and on a redis-server: the same replies, byte for byte. Left
 * out: additions since 7.0, and {@code error({})}, which crashes 7.0.
 */
final class ScriptDifferentialTest {

  private static RedisServer ours;
  private static RealRedis theirs;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    ours = TestServers.with().start();
    theirs = RealRedis.start(List.of("--enable-debug-command", "yes"));
  }

  @AfterAll
  static void stop() {
    ours.close();
    theirs.close();
  }

  private static List<String> scripts() throws IOException {
    try (InputStream in = ScriptDifferentialTest.class.getResourceAsStream("scripts.lua")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), ISO_8859_1);
      return all.lines().filter(line -> !line.isBlank()).toList();
    }
  }

  @ParameterizedTest(name = "RESP{0}")
  @ValueSource(strings = {"2", "3"})
  void scripts_replyAsInRedis(String protocol) throws IOException {
    try (ReplyComparison comparison = new ReplyComparison(ours, theirs)) {
      comparison.prepare("FLUSHALL");
      comparison.prepare("HELLO", protocol);
      comparison.prepare("HSET", "k1", "f", "v");
      for (String script : scripts()) {
        for (String name : List.of("EVAL", "EVAL_RO")) {
          comparison.compare(List.of(name, script, "2", "k1", "k2", "a1", "a2"));
        }
      }
      comparison.assertSame();
    }
  }
}
