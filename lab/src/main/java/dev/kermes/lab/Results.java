package dev.kermes.lab;

import dev.kermes.bench.harness.MachineDescription;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The results of a run, with its machine, time and extent: the content of all report formats. */
final class Results {

  /** The result of one experiment, and how long it took. */
  record Result(Experiment experiment, Findings findings, Duration took) {}

  private final String command;
  private final String machine = MachineDescription.describe();
  private final Instant date = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final String extent;
  private final List<Result> results = new ArrayList<>();

  /** {@code extent} describes the extent of the measurements in a few words. */
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
