package dev.kermes.bench.load;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.peers.ProcessCpu;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.HdrHistogram.Histogram;

/**
 * The load of memtier_benchmark, as a closed loop: each connection keeps its pipeline full, so
 * requests in flight = connections x pipeline = throughput x mean latency.
 */
public final class LoadGenerator {

  private static final int PREFILL_BATCH = 100;

  private LoadGenerator() {}

  /** Runs once; {@code serverCpu} returns the server's CPU time so far, if it is known. */
  public static LoadResult run(LoadSettings settings, DoubleSupplier serverCpu)
      throws IOException, InterruptedException {
    List<LoadThread> threads = new ArrayList<>();
    for (int i = 0; i < settings.threads(); i++) threads.add(new LoadThread(settings, i));
    for (LoadThread thread : threads) thread.start();
    Thread.sleep(settings.warmUp());
    double serverBefore = serverCpu.getAsDouble();
    double clientBefore = ProcessCpu.ownSeconds();
    double machineBefore = ProcessCpu.machineSeconds();
    for (LoadThread thread : threads) thread.phase(LoadThread.Phase.MEASURE);
    Thread.sleep(settings.testTime());
    double server = serverCpu.getAsDouble() - serverBefore;
    double client = ProcessCpu.ownSeconds() - clientBefore;
    double other = ProcessCpu.machineSeconds() - machineBefore - server - client;
    for (LoadThread thread : threads) thread.phase(LoadThread.Phase.END);
    for (LoadThread thread : threads) thread.join();
    return result(settings, threads, server, client, other);
  }

  private static LoadResult result(
      LoadSettings settings,
      List<LoadThread> threads,
      double serverCpu,
      double clientCpu,
      double otherCpu) {
    Histogram latencies = new Histogram(LoadThread.LATENCY_MAX, 3);
    List<Long> perConnection = new ArrayList<>();
    double opsPerSecond = 0;
    double latencyNanos = 0;
    double seconds = 0;
    long hits = 0;
    long misses = 0;
    for (LoadThread thread : threads) {
      if (thread.failure() != null) {
        throw new BenchmarkException("the load broke off: " + thread.failure());
      }
      long completed = 0;
      for (LoadConnection connection : thread.connections()) {
        if (connection.scanner().errors() > 0) {
          throw new BenchmarkException(
              "the server replied with errors: " + connection.scanner().firstError());
        }
        completed += connection.completed();
        latencyNanos += connection.latencyNanos();
        perConnection.add(connection.completed());
      }
      opsPerSecond += completed / thread.seconds();
      seconds = Math.max(seconds, thread.seconds());
      latencies.add(thread.latencies());
      hits += thread.hits();
      misses += thread.misses();
    }
    return new LoadResult(
        settings,
        opsPerSecond,
        seconds,
        latencyNanos,
        latencies,
        perConnection,
        hits,
        misses,
        serverCpu,
        clientCpu,
        otherCpu);
  }

  /** Sets keys 0 to {@code count - 1}, on one connection, pipelined. */
  public static void prefill(InetSocketAddress address, MemtierRequests requests, long count)
      throws IOException {
    RequestBatch batch = new RequestBatch(requests, PREFILL_BATCH, 0);
    try (Wire wire = new Wire(address)) {
      for (long key = 0; key < count; ) {
        batch.clear();
        int size = (int) Math.min(PREFILL_BATCH, count - key);
        for (int i = 0; i < size; i++) batch.set(key++);
        wire.send(batch.bytes(), batch.length());
        for (int i = 0; i < size; i++) wire.reply();
      }
    }
  }
}
