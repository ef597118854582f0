package dev.kermes.bench;

import java.util.Set;

/** Something that can be measured by name. */
public interface Benchmark {
  String name();

  /** One line for the list. */
  String summary();

  /** Options of its own beside those that all have; each takes one value. */
  Set<String> options();

  Report run(Options options, Progress progress) throws Exception;
}
