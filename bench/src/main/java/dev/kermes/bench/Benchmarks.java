package dev.kermes.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list of all benchmarks. */
final class Benchmarks {

  static final List<Benchmark> ALL =
      List.of(
          new SeedRedisBenchmark(),
          new Ping1000Benchmark(),
          new ClientBenchmark(),
          new RedisBenchmark(),
          new NoisyNeighbourBenchmark(),
          new ExpiryBenchmark(),
          new PersistenceBenchmark(),
          new MemoryBenchmark(),
          new StartUpBenchmark(),
          new AllocationBenchmark(),
          new HttpBenchmark(),
          new ReactorBenchmark());

  private Benchmarks() {}

  static @Nullable Benchmark find(String name) {
    for (Benchmark benchmark : ALL) if (benchmark.name().equals(name)) return benchmark;
    return null;
  }
}
