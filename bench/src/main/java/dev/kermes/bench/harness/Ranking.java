package dev.kermes.bench.harness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All cases in one table, sorted by the ratio of our figure to that of the best peer, the lowest
 * first. A larger figure is better.
 */
public final class Ranking {

  /** A case, with the ratio; NaN if only one side has it. */
  public record Entry(String benchCase, Map<String, Row> rows, double ratio) {}

  private final Figure figure;
  private final List<Figure> beside;
  private final List<Entry> entries = new ArrayList<>();
  private final Set<String> peers = new LinkedHashSet<>();

  /** Ranks rows by {@code figure} and shows the figures {@code beside} it. */
  public Ranking(List<Row> rows, Figure figure, List<Figure> beside) {
    this.figure = figure;
    this.beside = beside;
    Map<String, Map<String, Row>> cases = new LinkedHashMap<>();
    for (Row row : rows) {
      peers.add(row.peer());
      cases.computeIfAbsent(row.benchCase(), key -> new LinkedHashMap<>()).put(row.peer(), row);
    }
    cases.forEach((name, found) -> entries.add(new Entry(name, found, ratio(found))));
    entries.sort(Comparator.comparingDouble(Entry::ratio));
  }

  private double ratio(Map<String, Row> rows) {
    double ours = best(rows, true);
    double theirs = best(rows, false);
    return ours / theirs;
  }

  private double best(Map<String, Row> rows, boolean ours) {
    double best = Double.NaN;
    for (Row row : rows.values()) {
      if (Report.isOurs(row.peer()) != ours) continue;
      double value = row.get(figure.name());
      if (Double.isFinite(value) && !(value <= best)) best = value;
    }
    return best;
  }

  /** Returns the cases from the lowest ratio to the highest; those without a ratio last. */
  public List<Entry> entries() {
    return entries;
  }

  /** Returns the number of cases with a ratio below a limit. */
  public long below(double limit) {
    return entries.stream().filter(entry -> entry.ratio() < limit).count();
  }

  /** Returns the geometric mean of the ratios of the cases that have one. */
  public double geometricMean() {
    return geometricMean(entries);
  }

  /** Returns the geometric mean of the ratios of those that have one. */
  public static double geometricMean(List<Entry> entries) {
    double mean =
        entries.stream()
            .mapToDouble(Entry::ratio)
            .filter(Double::isFinite)
            .map(Math::log)
            .average()
            .orElse(Double.NaN);
    return Math.exp(mean);
  }

  void appendTo(StringBuilder text) {
    text.append("\n| ratio | case |");
    for (Figure column : columns()) {
      for (String peer : peers) {
        text.append(' ').append(column.head()).append(", ").append(peer).append(" |");
      }
    }
    text.append("\n|--:|---|").append("--:|".repeat(columns().size() * peers.size()));
    text.append('\n');
    for (Entry entry : entries) appendEntry(text, entry);
  }

  private List<Figure> columns() {
    List<Figure> columns = new ArrayList<>(List.of(figure));
    columns.addAll(beside);
    return columns;
  }

  private void appendEntry(StringBuilder text, Entry entry) {
    text.append("| ").append(Figure.number("", "").text(entry.ratio()));
    text.append(" | ").append(entry.benchCase()).append(" |");
    for (Figure column : columns()) {
      for (String peer : peers) {
        Row row = entry.rows().get(peer);
        double value = row == null ? Double.NaN : row.get(column.name());
        text.append(' ').append(column.text(value)).append(" |");
      }
    }
    text.append('\n');
  }
}
