package dev.kermes.lab;

import dev.kermes.bench.MachineDescription;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a run of the lab has found, and where, when and how: what all forms of the report show. */
final class Results {

  /** One experiment's, and how long it took. */
  record Result(Experiment experiment, Findings findings, Duration took) {}

  private final String command;
  private final String machine = MachineDescription.describe();
  private final Instant date = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final String extent;
  private final List<Result> results = new ArrayList<>();

  /** {@code extent} says in a few words how thoroughly was measured. */
  Results(String command, String extent) {
    this.command = command;
    this.extent = extent;
  }

  void add(Result result) {
    results.add(result);
  }

  String command() {
    return command;
  }

  String machine() {
    return machine;
  }

  Instant date() {
    return date;
  }

  String extent() {
    return extent;
  }

  List<Result> results() {
    return Collections.unmodifiableList(results);
  }
}
