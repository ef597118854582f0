package dev.kermes.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RankingTest {

  private static Row row(String peer, String benchCase, double operations) {
    return new Row(peer, "1", benchCase, Map.of(Figure.OPS.name(), operations));
  }

  private static final List<Row> ROWS =
      List.of(
          row("kermes", "GET", 40),
          row("valkey-server", "GET", 10),
          row("redis-server", "GET", 20),
          row("kermes", "ours only", 7),
          row("kermes", "SET", 5),
          row("valkey-server", "SET", 10));

  @Test
  void entries_areSortedByTheRatioToTheBetterPeer() {
    Ranking ranking = new Ranking(ROWS, Figure.OPS, List.of());
    assertThat(ranking.entries())
        .extracting(Ranking.Entry::benchCase)
        .containsExactly("SET", "GET", "ours only");
    assertThat(ranking.entries().getFirst().ratio()).isEqualTo(0.5);
    assertThat(ranking.entries().getLast().ratio()).isNaN();
    assertThat(ranking.geometricMean()).isCloseTo(1, within(1e-9));
    assertThat(ranking.below(0.75)).isEqualTo(1);
  }

  @Test
  void toMarkdown_ranking_isOneTable() {
    Report report = new Report("b", "s", List.of(), List.of()).asRanking(Figure.OPS);
    ROWS.forEach(report::add);
    report.failed("kermes: GET: -ERR");
    assertThat(report.toMarkdown("c"))
        .contains("- FAILED: kermes: GET: -ERR\n")
        .contains("| ratio | case | ops/s, kermes | ops/s, valkey-server | ops/s, redis-server |")
        .contains("| 0.50 | SET | 5 | 10 | – |\n| 2.00 | GET | 40 | 10 | 20 |\n");
  }
}
