package dev.kermes.bench.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The median of each figure over the runs of one case. */
public final class Medians {

  private final Map<String, List<Double>> figures = new LinkedHashMap<>();

  public void add(Map<String, Double> run) {
    run.forEach(
        (name, value) -> figures.computeIfAbsent(name, key -> new ArrayList<>()).add(value));
  }

  public Map<String, Double> figures() {
    Map<String, Double> medians = new LinkedHashMap<>();
    figures.forEach((name, values) -> medians.put(name, of(values)));
    return medians;
  }

  public static double of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return of(sorted);
  }

  /**
   * Returns the middle of sorted values, or the mean of the two in the middle of an even number.
   */
  public static double of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
