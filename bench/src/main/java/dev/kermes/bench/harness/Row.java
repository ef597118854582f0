package dev.kermes.bench.harness;

import java.util.Map;

/** The medians of one peer in one case. */
public record Row(String peer, String version, String benchCase, Map<String, Double> figures) {

  public double get(String figure) {
    return figures.getOrDefault(figure, Double.NaN);
  }
}
