package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NaiveCloneTest {

  @Test
  void run_hasArticleAndEveryServer_andStepsMultiplyUp() throws Exception {
    Findings findings = ExperimentsTest.find(new NaiveClone());
    Table comparison = findings.tables().getFirst();
    assertThat(comparison.rows())
        .extracting(Table.Row::label)
        .startsWith(
            "article: naive clone",
            "naive, platform threads",
            "naive, virtual threads",
            "kermes, 1 loop");
    for (Table.Row row : comparison.rows()) {
      List<Double> figures = row.figures();
      assertThat(figures.subList(3, 6)).as(row.label()).isSorted();
    }

    List<Table.Row> steps = findings.tables().get(1).rows();
    assertThat(steps).hasSize(6);
    double product = steps.getFirst().figures().getFirst();
    for (Table.Row step : steps.subList(1, 6)) product *= step.figures().get(1);
    assertThat(product / steps.getLast().figures().getFirst()).isCloseTo(1, within(1e-6));
  }
}
