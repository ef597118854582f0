package dev.kermes.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the subcommands as processes. */
final class MainTest {

  @ParameterizedTest
  @ValueSource(strings = {"http", "cluster", "sentinel", "events", "torture"})
  void help_ofEverySubcommand_isNoError(String subcommand) throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, subcommand, "--help"), "");
    assertThat(result.out()).startsWith("usage: kermes " + subcommand + " ");
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
  }

  @Test
  void otherSubcommands_areThoseOfTheServersProgram() throws Exception {
    Result version = Programs.finish(Programs.start(Main.class, "--version"), "");
    assertThat(version.out()).startsWith("Kermes ");
    Result usage = Programs.finish(Programs.start(Main.class, "--help"), "");
    assertThat(usage.out())
        .startsWith("usage: kermes [server]")
        .contains("\n       kermes http | cluster");
    Result unknown = Programs.finish(Programs.start(Main.class, "nosuch"), "");
    assertThat(unknown.err()).startsWith("kermes: unknown subcommand: name=nosuch\nusage: ");
    assertThat(unknown.status()).isEqualTo(1);
  }
}
