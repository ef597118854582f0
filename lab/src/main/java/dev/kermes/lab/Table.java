package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A table of figures. The article's figures are in a separate column or row, whose name says so;
 * NaN stands for figures that were not measured.
 */
public final class Table {

  /** A row: a label and one figure per column. */
  public record Row(String label, List<Double> figures) {}

  private final String title;
  private final String labelHead;
  private final List<Figure> columns;
  private final List<Row> rows = new ArrayList<>();

  /** {@code labelHead} is the heading of the labels: "server", "go blocks". */
  public Table(String title, String labelHead, Figure... columns) {
    this.title = title;
    this.labelHead = labelHead;
    this.columns = List.of(columns);
  }

  public Table row(String label, double... figures) {
    if (figures.length != columns.size()) {
      throw new IllegalArgumentException(
          "figures=%d, columns=%d".formatted(figures.length, columns.size()));
    }
    List<Double> values = new ArrayList<>();
    for (double figure : figures) values.add(figure);
    rows.add(new Row(label, Collections.unmodifiableList(values)));
    return this;
  }

  /** Adds a row with the figures of a peer from a benchmark. */
  Table row(String label, Map<String, Double> found) {
    return row(
        label, columns.stream().mapToDouble(column -> Timing.find(found, column.name())).toArray());
  }

  public String title() {
    return title;
  }

  public String labelHead() {
    return labelHead;
  }

  public List<Figure> columns() {
    return columns;
  }

  public List<Row> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** Formats a figure of a row as its column specifies. */
  String text(Row row, int column) {
    return columns.get(column).text(row.figures().get(column));
  }
}
