package dev.kermes.bench.commands;

import dev.kermes.bench.harness.BenchmarkException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of cases. A line without indent opens a section, to which the indented lines below
 * it belong; {@code #} starts a comment.
 *
 * <pre>
 *   data zset                                  commands that create a data set
 *     ZADD z:{key} [ {index} m:{index} ]
 *
 *   on zset count=1,100,10000 value=16 pipeline=1,16      cases on that data, one a line
 *     ZSCORE z:{key} m:{element}
 *     ZADD z:{key} 1 new ; ZREM z:{key} new    commands in turn
 *
 *   exempt the cost does not depend on data    commands without a case, and why
 *     PING, ECHO
 * </pre>
 *
 * Each line of {@code on} is a case for each size. Without a pipeline there are two: pipeline 16
 * for each size, and pipeline 1 for the first. {@link Template} describes groups and {@link
 * Variable} and {@link Bindings} the placeholders.
 */
final class CaseFileReader {

  private static final int PIPELINE = 16;

  private final String family;
  private final Map<String, DataSet> dataSets = new HashMap<>();
  private final List<CommandCase> cases = new ArrayList<>();
  private final Map<String, String> exempt = new TreeMap<>();

  CaseFileReader(String family, String text) {
    this.family = family;
    dataSets.put(DataSet.NONE.name(), DataSet.NONE);
    String head = null;
    List<String> body = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) continue;
      if (line.startsWith(" ")) {
        body.add(line.strip());
        continue;
      }
      addSection(head, body);
      head = line.strip();
      body = new ArrayList<>();
    }
    addSection(head, body);
  }

  List<CommandCase> cases() {
    return cases;
  }

  Map<String, String> exempt() {
    return exempt;
  }

  private void addSection(@Nullable String head, List<String> body) {
    if (head == null) return;
    String[] words = head.split(" +");
    switch (words[0]) {
      case "data" -> dataSets.put(words[1], new DataSet(words[1], List.copyOf(body)));
      case "on" -> addCases(dataSet(words[1]), attributes(words), body);
      case "exempt" -> addExempt(head.substring("exempt ".length()), body);
      default -> throw wrong("unknown section", head);
    }
  }

  private DataSet dataSet(String name) {
    DataSet data = dataSets.get(name);
    if (data == null) throw wrong("unknown data", name);
    return data;
  }

  private BenchmarkException wrong(String what, String value) {
    return new BenchmarkException("%s.cases: %s: %s".formatted(family, what, value));
  }

  private Map<String, List<Integer>> attributes(String[] words) {
    Map<String, List<Integer>> attributes = new LinkedHashMap<>();
    for (int i = 2; i < words.length; i++) {
      String[] pair = words[i].split("=");
      if (pair.length != 2 || !List.of("count", "value", "pipeline").contains(pair[0])) {
        throw wrong("unknown attribute", words[i]);
      }
      List<Integer> numbers = new ArrayList<>();
      for (String number : pair[1].split(",")) numbers.add(number(number));
      attributes.put(pair[0], numbers);
    }
    return attributes;
  }

  private static int number(String text) {
    int number = Integer.parseInt(text.replaceAll("[KM]$", ""));
    if (text.endsWith("K")) return number << 10;
    return text.endsWith("M") ? number << 20 : number;
  }

  private void addCases(DataSet data, Map<String, List<Integer>> attributes, List<String> body) {
    boolean isFirst = true;
    for (int count : attributes.getOrDefault("count", List.of(1))) {
      for (int value : attributes.getOrDefault("value", List.of(16))) {
        List<Integer> standard = isFirst ? List.of(PIPELINE, 1) : List.of(PIPELINE);
        isFirst = false;
        for (int pipeline : attributes.getOrDefault("pipeline", standard)) {
          for (String line : body) {
            List<String> commands = List.of(line.split(" ; "));
            cases.add(
                new CommandCase(
                    family, data, commands, Size.of(count, value, data.hasElements()), pipeline));
          }
        }
      }
    }
  }

  private void addExempt(String reason, List<String> body) {
    for (String line : body) {
      for (String name : line.split(", *")) exempt.put(name, reason);
    }
  }
}
