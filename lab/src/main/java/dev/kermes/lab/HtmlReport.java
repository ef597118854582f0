package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The report as one self-contained HTML file: plots are inline SVG, and there is no script. */
final class HtmlReport {

  /** The description of the lab, for all report formats. */
  static final String ABOUT =
      "The measurements of the articles that Kermes began with, repeated on a current JVM. The"
          + " articles' figures are shown next to the current ones. They are from other machines,"
          + " so compare absolute figures only within this report, and shapes with the articles.";

  private final StringBuilder html = new StringBuilder();

  private HtmlReport() {}

  static String of(Results results) throws IOException {
    return new HtmlReport().write(results);
  }

  private String write(Results results) throws IOException {
    html.append(
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>The Kermes lab</title>
        <style>
        """);
    html.append(style()).append("</style>\n<main>\n");
    element("h1", "The lab");
    element("p", ABOUT);
    facts(results);
    contents(results);
    for (Results.Result result : results.results()) experiment(result);
    return html.append("</main>\n</html>\n").toString();
  }

  private static String style() throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
      if (in == null) throw new IOException("missing: report.css");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void facts(Results results) {
    html.append("<dl>\n");
    fact("Machine", results.machine());
    fact("Date", results.date().toString());
    fact("Command", results.command());
    fact("Extent", results.extent());
    html.append("</dl>\n");
  }

  private void fact(String name, String value) {
    element("dt", name);
    element("dd", value);
  }

  private void contents(Results results) {
    html.append("<ol class=\"contents\">\n");
    for (Results.Result result : results.results()) {
      Experiment experiment = result.experiment();
      html.append("<li><a href=\"#%s\">".formatted(experiment.name()));
      html.append(escape(experiment.title())).append("</a><br>");
      html.append(escape(result.findings().shows())).append("</li>\n");
    }
    html.append("</ol>\n");
  }

  private void experiment(Results.Result result) {
    Experiment experiment = result.experiment();
    Findings findings = result.findings();
    html.append("<section id=\"%s\">\n".formatted(experiment.name()));
    element("h2", experiment.title());
    html.append("<p class=\"shows\">").append(escape(findings.shows())).append("</p>\n");
    element("p", experiment.article());
    for (Plot plot : findings.plots()) {
      html.append("<figure>\n");
      element("figcaption", plot.title());
      html.append(PlotImage.inline(plot)).append("</figure>\n");
    }
    for (Table table : findings.tables()) table(table);
    list(findings);
    html.append("</section>\n");
  }

  private void table(Table table) {
    element("h3", table.title());
    html.append("<div class=\"scroll\"><table>\n<tr><th>").append(escape(table.labelHead()));
    for (Figure column : table.columns()) html.append("<th>").append(escape(column.head()));
    html.append('\n');
    for (Table.Row row : table.rows()) {
      html.append("<tr class=\"%s\"><td>".formatted(kind(row.label()))).append(escape(row.label()));
      for (int i = 0; i < table.columns().size(); i++) {
        html.append("<td>").append(escape(table.text(row, i)));
      }
      html.append('\n');
    }
    html.append("</table></div>\n");
  }

  private static String kind(String label) {
    if (label.startsWith("article")) return "article";
    return label.startsWith("kermes") ? "ours" : "other";
  }

  private void list(Findings findings) {
    html.append("<ul>\n");
    for (String note : findings.notes()) element("li", note);
    findings.versions().forEach((name, version) -> element("li", name + ": " + version));
    if (!findings.missing().isEmpty()) {
      element("li", "Missing: " + String.join(", ", findings.missing()));
    }
    html.append("</ul>\n");
  }

  private void element(String name, String text) {
    html.append('<').append(name).append('>').append(escape(text));
    html.append("</").append(name).append(">\n");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
