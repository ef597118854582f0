package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the subcommands as processes. */
final class MainTest {

  @ParameterizedTest
  @CsvSource({
    "server, usage: kermes [server]",
    "cli, usage: kermes cli",
    "check, usage: kermes check",
  })
  void help_ofEverySubcommand_isNoError(String subcommand, String start) throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, subcommand, "--help"), "");
    assertThat(result.out()).startsWith(start);
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
  }
}
