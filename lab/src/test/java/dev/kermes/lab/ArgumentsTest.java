package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.bench.harness.BenchmarkException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArgumentsTest {

  @Test
  void parse_nothing_isAFullRunOfAll() {
    Arguments arguments = Arguments.parse(List.of());
    assertThat(arguments.extent()).isEqualTo(Lab.Extent.FULL);
    assertThat(arguments.experiments()).isEqualTo(Experiments.ALL);
    assertThat(arguments.writesDocs()).isFalse();
  }

  @Test
  void parse_only_keepsTheOrderOfTheList() {
    Arguments arguments = Arguments.parse(List.of("--quick", "--only", "node,naive-clone"));
    assertThat(arguments.extent()).isEqualTo(Lab.Extent.QUICK);
    assertThat(arguments.experiments())
        .extracting(Experiment::name)
        .containsExactly("naive-clone", "node");
  }

  @ParameterizedTest
  @CsvSource({
    "--fast, unknown option: --fast",
    "--only, value missing: option=--only",
    "--only nothing, unknown experiment: nothing",
    "--rounds 0, not a number of rounds: 0",
    "--rounds x, not a number of rounds: x"
  })
  void parse_wrong_saysWhatIs(String arguments, String message) {
    assertThatThrownBy(() -> Arguments.parse(List.of(arguments.split(" "))))
        .isInstanceOf(BenchmarkException.class)
        .hasMessageStartingWith(message);
  }
}
