package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Shapes that do not depend on how busy the machine is. */
final class ClojureExperimentsTest {

  private static final String POOL = "go, pool of 8";

  /** 20 pages by 8 threads: 8, 8 and 4. */
  @Test
  void pages_onPoolOf8_takeThreeLatencies() throws Exception {
    Table table = ExperimentsTest.find(new BlockingPages()).tables().getFirst();
    assertThat(table.rows())
        .extracting(Table.Row::label)
        .containsExactly(
            POOL, "go, today", "thread", "io-thread", "virtual threads", "asynchronous client");
    assertThat(figure(table, POOL, "latencies")).isGreaterThan(2.9);
    assertThat(figure(table, "thread", "articleMillis")).isEqualTo(1000);
  }

  @Test
  void factors_serialIsTheMeasure() throws Exception {
    Table table = ExperimentsTest.find(new Factors()).tables().getFirst();
    assertThat(table.rows())
        .extracting(Table.Row::label)
        .containsExactly(
            "serial", POOL, "go, today", "thread", "pipeline", "fold", "fold, chunks of 16");
    assertThat(figure(table, "serial", "speedUp")).isEqualTo(1);
    assertThat(figure(table, POOL, "articleSpeedUp")).isCloseTo(3.4, within(0.05));
  }

  /** Eight jobs sleep at a time, and what computes is behind them. */
  @Test
  void mixed_onPoolOf8_waitsForThoseThatSleep() throws Exception {
    List<Table> tables = ExperimentsTest.find(new MixedJobs()).tables();
    assertThat(figure(tables.get(0), POOL, "sleeps")).isGreaterThan(3.9);
    assertThat(figure(tables.get(1), POOL, "sleeps")).isGreaterThan(7.9);
  }

  @Test
  void sums_hasEveryWay() throws Exception {
    Table table = ExperimentsTest.find(new Sums()).tables().getFirst();
    assertThat(table.rows())
        .extracting(Table.Row::label)
        .containsExactly(
            "range, sequences",
            "range, reducers",
            "vector, sequences",
            "vector, reducers",
            "vector, transducers",
            "vector, fused by hand",
            "vector, parallel fold",
            "array, fused by hand");
    assertThat(figure(table, "vector, parallel fold", "articleMillis")).isEqualTo(145.529636);
  }

  /** The figure in the row and the column of these names. */
  static double figure(Table table, String label, String column) {
    int index = table.columns().stream().map(figure -> figure.name()).toList().indexOf(column);
    return table.rows().stream()
        .filter(row -> row.label().equals(label))
        .mapToDouble(row -> row.figures().get(index))
        .findFirst()
        .orElseThrow();
  }
}
