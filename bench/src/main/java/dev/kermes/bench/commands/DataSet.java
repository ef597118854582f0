package dev.kermes.bench.commands;

import java.util.List;

/**
 * The keys that cases need.
 *
 * @param lines commands, each sent once per key, connection and index that it names
 */
record DataSet(String name, List<String> lines) {

  static final DataSet NONE = new DataSet("nothing", List.of());

  /** Returns whether its size depends on the count. */
  boolean hasElements() {
    return lines.stream()
        .anyMatch(line -> line.contains(Variable.INDEX.placeholder()) || line.contains("[ "));
  }
}
