package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReactorAgainstNodeTest {

  @Test
  void run_hasATableFor100AndFor1_withTheArticlesFirst() throws Exception {
    Findings findings = ExperimentsTest.find(new ReactorAgainstNode());
    assertThat(findings.tables()).hasSize(2);
    for (Table table : findings.tables()) {
      assertThat(table.rows())
          .extracting(Table.Row::label)
          .startsWith("article: Node.js", "article: JVM framework", "kermes", "kermes loops=1")
          .doesNotContain("kermes io_uring");
    }
  }
}
