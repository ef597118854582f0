package dev.kermes.bench.harness;

import java.util.Set;

/** A measurement that can be run by name. */
public interface Benchmark {
  String name();

  /** One line for the list. */
  String summary();

  /** The benchmark's own options besides the common ones; each takes one value. */
  Set<String> options();

  Report run(Options options, Progress progress) throws Exception;
}
