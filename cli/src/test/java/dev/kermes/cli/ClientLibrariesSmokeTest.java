package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Runs client libraries of other languages, redis-cli and redis-benchmark against an embedded
 * server, by {@code smoke/run}. A missing program fails the test and names the package to install.
 */
class ClientLibrariesSmokeTest {

  @Test
  void everyClient_worksUnchanged() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      ProcessBuilder run = new ProcessBuilder(script().toString(), "127.0.0.1:" + server.port());
      Result result = Programs.finish(run.redirectErrorStream(true).start(), "");
      assertThat(result.status()).as("%s", result.out()).isZero();
      assertThat(result.out().lines()).hasSize(6).allMatch(line -> line.contains(": ok, "));
    }
  }

  /** Relative to the module's folder, in which Maven runs tests, or to the repository's. */
  private static Path script() {
    Path inRoot = Path.of("smoke", "run").toAbsolutePath();
    return Files.exists(inRoot) ? inRoot : Path.of("..", "smoke", "run").toAbsolutePath();
  }
}
