package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every experiment in its quickest form, for what is true of all; never how fast anything is. */
final class ExperimentsTest {

  private static final Map<String, Findings> FOUND = new ConcurrentHashMap<>();

  /** The findings of the experiment of this name, which runs once for all tests. */
  static Findings find(Experiment experiment) throws Exception {
    Findings found = FOUND.get(experiment.name());
    if (found != null) return found;
    Findings findings = experiment.run(Lab.quickest());
    FOUND.put(experiment.name(), findings);
    return findings;
  }

  @ParameterizedTest
  @FieldSource("dev.kermes.lab.Experiments#ALL")
  void run_quickest_findsWhatReportsNeed(Experiment experiment) throws Exception {
    assertThat(experiment.name()).matches("[a-z0-9-]+");
    assertThat(experiment.title()).isNotBlank();
    assertThat(experiment.article()).endsWith(".");
    Findings findings = find(experiment);
    assertThat(findings.shows()).endsWith(".").matches(".*[0-9].*");
    assertThat(findings.tables()).isNotEmpty();
    assertThat(findings.plots()).isNotEmpty();
    for (Table table : findings.tables()) {
      assertThat(table.rows()).as(table.title()).isNotEmpty();
      assertThat(table.rows()).extracting(Table.Row::label).doesNotHaveDuplicates();
      for (Table.Row row : table.rows()) {
        assertThat(row.figures()).as(row.label()).anyMatch(figure -> figure > 0);
        assertThat(row.figures()).as(row.label()).allMatch(figure -> !(figure < 0));
      }
    }
    for (Plot plot : findings.plots()) {
      assertThat(plot.yTitle()).isNotBlank();
      assertThat(plot.points()).as(plot.title()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @FieldSource("dev.kermes.lab.Experiments#ALL")
  void report_ofEach_isInAllForms(Experiment experiment, @TempDir Path folder) throws Exception {
    Findings findings = find(experiment);
    Results results = new Results("command", "quickest");
    results.add(new Results.Result(experiment, findings, Duration.ofSeconds(1)));

    String html = HtmlReport.of(results);
    String shows = HtmlReport.escape(findings.shows());
    assertThat(html).contains(shows).containsPattern("<svg [^>]*viewBox");
    assertThat(html.split("<svg ", -1)).hasSize(findings.plots().size() + 1);
    assertThat(html).doesNotContain("<script", "src=", "@import");

    JsonNode json = new ObjectMapper().readTree(JsonReport.of(results));
    JsonNode only = json.get("experiments").get(0);
    assertThat(only.get("name").asText()).isEqualTo(experiment.name());
    assertThat(only.get("tables").size()).isEqualTo(findings.tables().size());
    assertThat(only.get("plots").get(0).get("points").size())
        .isEqualTo(findings.plots().getFirst().points().size());

    String markdown = Files.readString(MarkdownReport.write(results, folder));
    assertThat(markdown).contains("## " + experiment.title(), findings.shows());
    for (int i = 1; i <= findings.plots().size(); i++) {
      String file = "lab/%s-%d.svg".formatted(experiment.name(), i);
      assertThat(markdown).contains("(" + file + ")");
      assertThat(Files.readString(folder.resolve(file))).startsWith("<svg ");
    }
  }
}
