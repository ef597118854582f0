package dev.kermes.lab;

import dev.kermes.bench.harness.BenchmarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The options of the command line. Immutable. */
record Arguments(
    Lab.Extent extent,
    int rounds,
    List<Experiment> experiments,
    boolean writesDocs,
    boolean lists,
    boolean helps) {

  private static final Set<String> FLAGS = Set.of("--quick", "--docs", "--list", "--help");
  private static final Set<String> VALUED = Set.of("--only", "--rounds");

  /** Parses the command line; throws a BenchmarkException that names the mistake. */
  static Arguments parse(List<String> arguments) {
    List<Experiment> experiments = Experiments.ALL;
    int rounds = 0;
    for (int i = 0; i < arguments.size(); i++) {
      String name = arguments.get(i);
      if (FLAGS.contains(name)) continue;
      if (!VALUED.contains(name)) throw new BenchmarkException("unknown option: " + name);
      if (++i == arguments.size()) throw new BenchmarkException("value missing: option=" + name);
      if (name.equals("--only")) experiments = named(arguments.get(i));
      else rounds = count(arguments.get(i));
    }
    boolean isQuick = arguments.contains("--quick");
    if (rounds == 0) rounds = isQuick ? 2 : 3;
    return new Arguments(
        isQuick ? Lab.Extent.QUICK : Lab.Extent.FULL,
        rounds,
        experiments,
        arguments.contains("--docs"),
        arguments.contains("--list"),
        arguments.contains("--help"));
  }

  private static int count(String text) {
    if (text.matches("[1-9][0-9]{0,3}")) return Integer.parseInt(text);
    throw new BenchmarkException("not a number of rounds: " + text);
  }

  /** The experiments with these names, in the order of the list of experiments. */
  private static List<Experiment> named(String names) {
    List<String> wanted = new ArrayList<>(List.of(names.split(",")));
    List<Experiment> found =
        Experiments.ALL.stream().filter(experiment -> wanted.remove(experiment.name())).toList();
    if (wanted.isEmpty()) return found;
    String known = Experiments.ALL.stream().map(Experiment::name).collect(Collectors.joining(", "));
    throw new BenchmarkException(
        "unknown experiment: %s (there are %s)".formatted(String.join(", ", wanted), known));
  }
}
