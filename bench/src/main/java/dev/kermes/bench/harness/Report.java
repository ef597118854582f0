package dev.kermes.bench.harness;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The results of a benchmark: rows, missing peers, and notes for the reader. */
public final class Report {

  private final String benchmark;
  private final String summary;
  private final List<Figure> columns;
  private final List<Figure> compared;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private List<Figure> matrices = List.of();
  private List<Figure> ranked = List.of();
  private final Instant date = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  /**
   * Creates a report with these columns. For the {@code compared} figures it shows ours against
   * every other peer, as the quotient ours / theirs.
   */
  public Report(String benchmark, String summary, List<Figure> columns, List<Figure> compared) {
    this.benchmark = benchmark;
    this.summary = summary;
    this.columns = columns;
    this.compared = compared;
  }

  /** Shows a table of cases by peers for each of these figures, instead of one table per case. */
  public Report asMatrices(Figure... figures) {
    matrices = List.of(figures);
    return this;
  }

  /** Shows one table of all cases, ranked by this figure, instead of one table per case. */
  public Report asRanking(Figure figure, Figure... beside) {
    ranked = new ArrayList<>(List.of(figure));
    ranked.addAll(List.of(beside));
    return this;
  }

  /** Returns the cases so far in the order of {@link #asRanking}. */
  public Ranking ranking() {
    return new Ranking(rows, ranked.getFirst(), ranked.subList(1, ranked.size()));
  }

  public void add(Row row) {
    rows.add(row);
  }

  public void missing(List<String> peers) {
    missing.addAll(peers);
  }

  public List<String> missing() {
    return missing;
  }

  /** Adds a case that could not be measured, and why. */
  public void failed(String failure) {
    failures.add(failure);
  }

  public List<String> failures() {
    return failures;
  }

  /** Adds a line under the tables, or above a ranking. */
  public void note(String line) {
    notes.add(line);
  }

  public String benchmark() {
    return benchmark;
  }

  public List<Row> rows() {
    return rows;
  }

  // ---- Markdown

  public String toMarkdown(String command) {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(benchmark).append("\n\n").append(summary).append("\n\n");
    text.append("- Machine: ").append(MachineDescription.describe()).append('\n');
    text.append("- Date: ").append(date).append('\n');
    text.append("- Command: `").append(command).append("`\n");
    text.append("- Missing: ");
    text.append(missing.isEmpty() ? "none" : String.join(", ", missing)).append('\n');
    for (String failure : failures) text.append("- FAILED: ").append(failure).append('\n');
    if (!ranked.isEmpty()) {
      appendNotes(text);
      ranking().appendTo(text);
      return text.toString();
    }
    for (Figure matrix : matrices) if (!isMissing(matrix, rows)) appendMatrix(text, matrix);
    if (matrices.isEmpty()) for (String benchCase : cases()) appendCase(text, benchCase);
    appendNotes(text);
    return text.toString();
  }

  private void appendNotes(StringBuilder text) {
    if (!notes.isEmpty()) text.append('\n');
    for (String note : notes) text.append("- ").append(note).append('\n');
  }

  private void appendMatrix(StringBuilder text, Figure figure) {
    Set<String> peers = new LinkedHashSet<>();
    for (Row row : rows) peers.add(row.peer());
    text.append("\n| ").append(figure.head()).append(" |");
    for (String peer : peers) text.append(' ').append(peer).append(" |");
    for (String peer : peers)
      if (!isOurs(peer)) text.append(" kermes / ").append(peer).append(" |");
    text.append("\n|---|").append("--:|".repeat(peers.size()));
    for (String peer : peers) if (!isOurs(peer)) text.append("--:|");
    text.append('\n');
    for (String benchCase : cases()) {
      if (rowsOf(benchCase).stream().allMatch(row -> Double.isNaN(row.get(figure.name()))))
        continue;
      text.append("| ").append(benchCase).append(" |");
      for (String peer : peers) {
        text.append(' ').append(figure.text(value(peer, benchCase, figure))).append(" |");
      }
      double own = value("kermes", benchCase, figure);
      for (String peer : peers) {
        if (isOurs(peer)) continue;
        double ratio = own / value(peer, benchCase, figure);
        text.append(' ').append(Figure.number("", "").text(ratio)).append(" |");
      }
      text.append('\n');
    }
  }

  private static boolean isMissing(Figure figure, List<Row> in) {
    return in.stream().allMatch(row -> Double.isNaN(row.get(figure.name())));
  }

  private double value(String peer, String benchCase, Figure figure) {
    for (Row row : rowsOf(benchCase)) if (row.peer().equals(peer)) return row.get(figure.name());
    return Double.NaN;
  }

  private Set<String> cases() {
    Set<String> cases = new LinkedHashSet<>();
    for (Row row : rows) cases.add(row.benchCase());
    return cases;
  }

  private List<Row> rowsOf(String benchCase) {
    return rows.stream().filter(row -> row.benchCase().equals(benchCase)).toList();
  }

  private void appendCase(StringBuilder text, String benchCase) {
    text.append("\n## ").append(benchCase).append("\n\n| peer | version |");
    for (Figure column : columns) text.append(' ').append(column.head()).append(" |");
    text.append("\n|---|---|").append("--:|".repeat(columns.size())).append('\n');
    for (Row row : rowsOf(benchCase)) {
      text.append("| ").append(row.peer()).append(" | ").append(row.version()).append(" |");
      for (Figure column : columns) {
        text.append(' ').append(column.text(row.get(column.name()))).append(" |");
      }
      text.append('\n');
    }
    for (Figure figure : compared) appendRatios(text, figure, rowsOf(benchCase));
  }

  private static void appendRatios(StringBuilder text, Figure figure, List<Row> rows) {
    List<Row> ours = rows.stream().filter(Report::isOurs).toList();
    List<Row> others = rows.stream().filter(row -> !isOurs(row)).toList();
    if (ours.isEmpty() || others.isEmpty()) return;
    text.append("\n| ").append(figure.head()).append(", ours / theirs |");
    for (Row other : others) text.append(' ').append(other.peer()).append(" |");
    text.append("\n|---|").append("--:|".repeat(others.size())).append('\n');
    for (Row own : ours) {
      text.append("| ").append(own.peer()).append(" |");
      for (Row other : others) {
        double ratio = own.get(figure.name()) / other.get(figure.name());
        text.append(' ').append(Figure.number("", "").text(ratio)).append(" |");
      }
      text.append('\n');
    }
  }

  private static boolean isOurs(Row row) {
    return isOurs(row.peer());
  }

  static boolean isOurs(String peer) {
    return peer.startsWith("kermes");
  }

  // ---- JSON

  public String toJson() {
    JsonWriter json = new JsonWriter().open('{');
    json.field("benchmark", benchmark).field("date", date.toString());
    json.field("machine", MachineDescription.describe()).name("rows").open('[');
    for (Row row : rows) appendRow(json, row);
    json.close(']').name("missing").open('[');
    for (String peer : missing) json.string(peer);
    json.close(']').name("notes").open('[');
    for (String note : notes) json.string(note);
    json.close(']').name("failures").open('[');
    for (String failure : failures) json.string(failure);
    return json.close(']').close('}').toString();
  }

  private void appendRow(JsonWriter json, Row row) {
    json.open('{');
    json.field("peer", row.peer()).field("version", row.version()).field("case", row.benchCase());
    for (Figure figure : Figure.STANDARD) json.field(figure.name(), row.get(figure.name()));
    Set<String> standard = new LinkedHashSet<>();
    for (Figure figure : Figure.STANDARD) standard.add(figure.name());
    row.figures()
        .forEach((name, value) -> {
          if (!standard.contains(name)) json.field(name, value);
        });
    if (isOurs(row)) appendRatios(json, row);
    json.close('}');
  }

  private void appendRatios(JsonWriter json, Row row) {
    for (Figure figure : compared) {
      json.name(figure.name() + "Ratios").open('{');
      for (Row other : rowsOf(row.benchCase())) {
        if (!isOurs(other)) {
          json.field(other.peer(), row.get(figure.name()) / other.get(figure.name()));
        }
      }
      json.close('}');
    }
  }
}
