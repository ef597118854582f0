package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.Programs.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the subcommands as processes. */
final class MainTest {

  @ParameterizedTest
  @CsvSource({
    "server, usage: kermes [server]",
    "cli, usage: kermes cli",
    "http, usage: kermes http",
    "check, usage: kermes check",
    "events, usage: kermes events",
    "torture, usage: kermes torture",
  })
  void help_ofEverySubcommand_isNoError(String subcommand, String start) throws Exception {
    Result result = Programs.finish(Programs.kermes(subcommand, "--help"), "");
    assertThat(result.out()).startsWith(start);
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
  }
}
