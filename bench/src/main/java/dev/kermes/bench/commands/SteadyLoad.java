package dev.kermes.bench.commands;

import dev.kermes.bench.load.LoadGenerator;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.load.LoadSettings;
import dev.kermes.bench.peers.ProcessCpu;
import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;
import java.time.Duration;

/**
 * Repeats a load until the server runs it as it will from then on: its JIT compilers hardly use CPU
 * time, and an operation costs the same as in the run before. A server without compilers is steady
 * in its first run.
 */
final class SteadyLoad {

  /** The compilers' share of the server's CPU time in a steady run. */
  private static final double COMPILER_SHARE_MAX = 0.05;

  /** The relative difference between the costs of two runs that are alike. */
  private static final double DIFFERENCE_MAX = 0.1;

  /** Replies come a pipeline at a time, so a run must be long enough for a few of them. */
  private static final int ROUNDS_MIN = 3;

  /** 2 s: the slowest commands have 128 of 10 ms in flight. */
  private static final Duration TIME_MAX = Duration.ofSeconds(2);

  private final RunningServer server;
  private int unsteady;

  SteadyLoad(RunningServer server) {
    this.server = server;
  }

  /** Returns how many loads were still not steady when their time was over. */
  int unsteady() {
    return unsteady;
  }

  /** Restores what a run has changed. */
  @FunctionalInterface
  interface Preparation {
    void run() throws IOException;
  }

  /**
   * Returns the first steady run, or the last one that began within {@code most}.
   *
   * @param again runs before each run but the first
   */
  LoadResult run(LoadSettings wanted, Duration most, Preparation again)
      throws IOException, InterruptedException {
    LoadSettings settings = wanted;
    long began = System.nanoTime();
    double costBefore = Double.NaN;
    while (true) {
      double compiledBefore = ProcessCpu.compilerSeconds(server.pid());
      LoadResult result = LoadGenerator.run(settings, server::cpuSeconds);
      double compiled = ProcessCpu.compilerSeconds(server.pid()) - compiledBefore;
      LoadSettings longer = longEnough(settings, result.latencies().getTotalCount());
      if (longer.testTime().compareTo(settings.testTime()) > 0) {
        settings = longer;
        again.run();
        continue;
      }
      if (compiledBefore == 0) return result;
      double cost = result.serverCpu() / result.latencies().getTotalCount();
      boolean isAlike = Math.abs(cost / costBefore - 1) < DIFFERENCE_MAX;
      if (isAlike && compiled < COMPILER_SHARE_MAX * result.serverCpu()) return result;
      costBefore = cost;
      if (System.nanoTime() - began > most.toNanos()) {
        unsteady++;
        return result;
      }
      again.run();
    }
  }

  /** The settings with as much time as some rounds of all connections take, within limits. */
  private static LoadSettings longEnough(LoadSettings settings, long completed) {
    double needed = (double) ROUNDS_MIN * settings.inFlight() / Math.max(1, completed);
    if (needed <= 1) return settings;
    long millis = Math.round(settings.testTime().toMillis() * needed);
    Duration time = Duration.ofMillis(millis);
    return settings.withTestTime(time.compareTo(TIME_MAX) < 0 ? time : TIME_MAX);
  }
}
