package dev.kermes.tools.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The text format of Prometheus, version 0.0.4, in which the samples of a metric stand together:
 *
 * <pre>
 *   # TYPE redis_db_keys gauge
 *   redis_db_keys{db="db0"} 12
 *   redis_db_keys{db="db1"} 3
 * </pre>
 */
final class Exposition {

  private static final String PREFIX = "redis_";

  private final Map<String, StringBuilder> metrics = new LinkedHashMap<>();

  /**
   * Adds a sample of a value that rises and falls.
   *
   * @param labels names and values by turns
   */
  void gauge(String name, String value, String... labels) {
    add("gauge", name, value, labels);
  }

  /** Adds a sample of a value that only rises. */
  void counter(String name, String value, String... labels) {
    add("counter", name, value, labels);
  }

  private void add(String type, String name, String value, String... labels) {
    StringBuilder lines =
        metrics.computeIfAbsent(
            name, key -> new StringBuilder("# TYPE " + PREFIX + key + " " + type + "\n"));
    lines.append(PREFIX).append(name);
    for (int i = 0; i < labels.length; i += 2) {
      lines.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      lines.append(escaped(labels[i + 1])).append('"');
    }
    if (labels.length > 0) lines.append('}');
    lines.append(' ').append(value).append('\n');
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return String.join("", metrics.values());
  }
}
