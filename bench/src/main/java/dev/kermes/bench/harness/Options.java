package dev.kermes.bench.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of the command line. Immutable. */
public final class Options {

  private static final Set<String> COMMON = Set.of("--runs", "--json", "--peer", "--only");

  /** Options that leave something out. */
  private static final Set<String> SELECTING =
      Set.of("--only", "--cases", "--clients", "--tests", "--sample", "--minutes");

  private final Map<String, List<String>> values = new LinkedHashMap<>();
  private boolean isQuick;

  private Options() {}

  /** Parses {@code arguments}; {@code own} are the benchmark's own options. */
  public static Options parse(List<String> arguments, Set<String> own) {
    Options options = new Options();
    for (int i = 0; i < arguments.size(); i++) {
      String name = arguments.get(i);
      if (name.equals("--quick")) {
        options.isQuick = true;
        continue;
      }
      if (!COMMON.contains(name) && !own.contains(name)) {
        throw new BenchmarkException("unknown option: " + name);
      }
      if (++i == arguments.size()) throw new BenchmarkException("value missing: option=" + name);
      options.values.computeIfAbsent(name, key -> new ArrayList<>()).add(arguments.get(i));
    }
    return options;
  }

  public boolean isQuick() {
    return isQuick;
  }

  /** Returns whether the options leave something out. */
  public boolean isPartial() {
    return SELECTING.stream().anyMatch(values::containsKey);
  }

  /** Returns the number of alternating runs per peer. */
  public int runs() {
    return number("--runs", isQuick ? 2 : 5);
  }

  public @Nullable String find(String name) {
    List<String> found = values.get(name);
    return found == null ? null : found.getLast();
  }

  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  public int number(String name, int standard) {
    return (int) decimal(name, standard);
  }

  public double decimal(String name, double standard) {
    String text = find(name);
    if (text == null) return standard;
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new BenchmarkException("not a number: " + name + "=" + text);
    }
  }

  /** A time in seconds. */
  public Duration seconds(String name, double standard) {
    return Duration.ofMillis(Math.round(decimal(name, standard) * 1000));
  }

  /** Numbers separated by commas. */
  public List<Integer> numbers(String name, List<Integer> standard) {
    String text = find(name);
    if (text == null) return standard;
    List<Integer> numbers = new ArrayList<>();
    for (String part : text.split(",")) numbers.add(Integer.parseInt(part.trim()));
    return numbers;
  }

  /**
   * Returns whether an option {@code --cases}, which may be repeated, names a part of this case's
   * name.
   */
  public boolean wants(String benchCase) {
    List<String> cases = all("--cases");
    return cases.isEmpty() || cases.stream().anyMatch(benchCase::contains);
  }

  /** Returns whether {@code --only} includes this peer. */
  public boolean admits(String peer) {
    String only = find("--only");
    if (only == null) return true;
    for (String prefix : only.split(",")) if (peer.startsWith(prefix)) return true;
    return false;
  }
}
