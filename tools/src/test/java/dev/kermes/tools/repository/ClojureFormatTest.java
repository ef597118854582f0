package dev.kermes.tools.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The format of the Clojure sources, by {@code clojure/format/run}, whose formatter comes from npm.
 */
class ClojureFormatTest {

  @Test
  void sources_areFormatted() throws Exception {
    ProcessBuilder check = new ProcessBuilder(script().toString(), "check");
    Result result = Programs.finish(check.redirectErrorStream(true).start(), "");
    assertThat(result.status()).as("clojure/format/run fix: %s", result.out()).isZero();
    assertThat(result.out()).contains("files formatted");
  }

  /** Relative to the module's folder, in which Maven runs tests, or to the repository's. */
  private static Path script() {
    Path inRoot = Path.of("clojure", "format", "run").toAbsolutePath();
    return Files.exists(inRoot) ? inRoot : Path.of("..", "clojure/format/run").toAbsolutePath();
  }
}
