package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class PingLayersTest {

  @Test
  void run_measuresEachLayer() throws Exception {
    Table table = ExperimentsTest.find(new PingLayers()).tables().get(0);
    assertThat(table.rows())
        .extracting(Table.Row::label)
        .containsExactly(
            "codec alone",
            "bare socket",
            "Java client, one batch",
            "Java client, a future each",
            "Clojure client, one batch",
            "Clojure client, a channel each",
            "Clojure client, a go block each, pool of 8",
            "Clojure client, a go block each, today",
            "the first design, pool of 8",
            "the first design, today",
            "the first design, pool of 8, buffered channels");
    assertThat(ClojureExperimentsTest.figure(table, "the first design, pool of 8", "articleMillis"))
        .isEqualTo(50);
  }

  @Test
  void run_profileSharesTheTimeAmongLayers() throws Exception {
    Table table = ExperimentsTest.find(new PingLayers()).tables().get(1);
    for (int column = 0; column < 2; column++) {
      int index = column;
      double sum = table.rows().stream().mapToDouble(row -> row.figures().get(index)).sum();
      assertThat(sum).isCloseTo(100, within(1e-6));
    }
    assertThat(table.rows())
        .extracting(Table.Row::label)
        .isSubsetOf(Layer.OF_A_CLIENT.stream().map(layer -> layer.label).toList())
        .contains(Layer.PARKED_PUTS.label, Layer.CHANNELS.label);
  }
}
