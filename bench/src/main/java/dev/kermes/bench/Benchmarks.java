package dev.kermes.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list of them. */
final class Benchmarks {

  static final List<Benchmark> ALL =
      List.of(
          new SeedRedis(),
          new Ping1000(),
          new Clients(),
          new RedisBenchmark(),
          new Neighbours(),
          new ExpiryBenchmark(),
          new Persistence(),
          new MemoryPerKey(),
          new StartUp(),
          new Allocation(),
          new HttpBenchmark(),
          new ReactorBenchmark());

  private Benchmarks() {}

  static @Nullable Benchmark find(String name) {
    for (Benchmark benchmark : ALL) if (benchmark.name().equals(name)) return benchmark;
    return null;
  }
}
