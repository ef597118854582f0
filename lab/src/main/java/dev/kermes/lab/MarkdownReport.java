package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The report as {@code docs/lab.md}, with its plots in a directory next to it. */
final class MarkdownReport {

  private static final String PLOTS = "lab";

  private final StringBuilder text = new StringBuilder();
  private final Path folder;

  private MarkdownReport(Path folder) {
    this.folder = folder;
  }

  /** Writes {@code lab.md} and {@code lab/*.svg}, replacing those of an earlier run. */
  static Path write(Results results, Path folder) throws IOException {
    Path plots = Files.createDirectories(folder.resolve(PLOTS));
    try (var old = Files.newDirectoryStream(plots, "*.svg")) {
      for (Path plot : old) Files.delete(plot);
    }
    MarkdownReport report = new MarkdownReport(folder);
    report.report(results);
    return Files.writeString(folder.resolve("lab.md"), report.text);
  }

  private void report(Results results) throws IOException {
    text.append("# The lab\n\n");
    text.append(HtmlReport.ABOUT).append("\n\n");
    text.append("- Machine: ").append(results.machine()).append('\n');
    text.append("- Date: ").append(results.date()).append('\n');
    text.append("- Command: `").append(results.command()).append("`\n");
    text.append("- Extent: ").append(results.extent()).append('\n');
    for (Results.Result result : results.results()) experiment(result);
  }

  private void experiment(Results.Result result) throws IOException {
    Experiment experiment = result.experiment();
    Findings findings = result.findings();
    text.append("\n## ").append(experiment.title()).append("\n\n");
    text.append("**").append(findings.shows()).append("**\n\n");
    text.append(experiment.article()).append('\n');
    for (int i = 0; i < findings.plots().size(); i++) {
      Plot plot = findings.plots().get(i);
      String file = "%s/%s-%d.svg".formatted(PLOTS, experiment.name(), i + 1);
      Files.writeString(folder.resolve(file), PlotImage.standalone(plot));
      text.append("\n![%s](%s)\n".formatted(plot.title(), file));
    }
    for (Table table : findings.tables()) table(table);
    list(findings);
  }

  private void table(Table table) {
    List<Figure> columns = table.columns();
    text.append("\n### ").append(table.title()).append("\n\n| ").append(table.labelHead());
    for (Figure column : columns) text.append(" | ").append(column.head());
    text.append(" |\n|---|").append("--:|".repeat(columns.size())).append('\n');
    for (Table.Row row : table.rows()) {
      text.append("| ").append(row.label());
      for (int i = 0; i < columns.size(); i++) text.append(" | ").append(table.text(row, i));
      text.append(" |\n");
    }
  }

  private void list(Findings findings) {
    text.append('\n');
    for (String note : findings.notes()) text.append("- ").append(note).append('\n');
    findings
        .versions()
        .forEach((name, version) -> text.append("- %s: %s\n".formatted(name, version)));
    if (!findings.missing().isEmpty()) {
      text.append("- Missing: ").append(String.join(", ", findings.missing())).append('\n');
    }
  }
}
