package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.JsonWriter;
import java.util.List;

/** The report as JSON, with all figures; NaN becomes null. */
final class JsonReport {

  private final JsonWriter json = new JsonWriter();

  private JsonReport() {}

  static String of(Results results) {
    return new JsonReport().write(results);
  }

  private String write(Results results) {
    json.open('{').field("date", results.date().toString()).field("machine", results.machine());
    json.field("command", results.command()).field("extent", results.extent());
    json.name("experiments").open('[');
    for (Results.Result result : results.results()) experiment(result);
    return json.close(']').close('}').toString();
  }

  private void experiment(Results.Result result) {
    Experiment experiment = result.experiment();
    Findings findings = result.findings();
    json.open('{').field("name", experiment.name()).field("title", experiment.title());
    json.field("article", experiment.article()).field("shows", findings.shows());
    json.field("seconds", result.took().toMillis() / 1e3);
    json.name("versions").open('{');
    findings.versions().forEach(json::field);
    json.close('}');
    strings("missing", findings.missing());
    strings("notes", findings.notes());
    json.name("tables").open('[');
    for (Table table : findings.tables()) table(table);
    json.close(']').name("plots").open('[');
    for (Plot plot : findings.plots()) plot(plot);
    json.close(']').close('}');
  }

  private void strings(String name, List<String> values) {
    json.name(name).open('[');
    for (String value : values) json.string(value);
    json.close(']');
  }

  private void table(Table table) {
    json.open('{').field("title", table.title()).name("columns").open('[');
    for (Figure column : table.columns()) {
      json.open('{').field("name", column.name()).field("head", column.head()).close('}');
    }
    json.close(']').name("rows").open('[');
    for (Table.Row row : table.rows()) {
      json.open('{').field(table.labelHead(), row.label());
      for (int i = 0; i < table.columns().size(); i++) {
        json.field(table.columns().get(i).name(), row.figures().get(i));
      }
      json.close('}');
    }
    json.close(']').close('}');
  }

  private void plot(Plot plot) {
    json.open('{').field("title", plot.title()).field("kind", plot.kind().name());
    json.field("xTitle", plot.xTitle()).field("yTitle", plot.yTitle()).name("points").open('[');
    for (Plot.Point point : plot.points()) {
      json.open('{').field("series", point.series());
      if (point.x() instanceof Double x) json.field("x", x);
      else json.field("x", point.x().toString());
      json.field("y", point.y()).close('}');
    }
    json.close(']').close('}');
  }
}
