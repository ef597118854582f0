package dev.kermes.bench;

import dev.kermes.bench.client.ClientBenchmark;
import dev.kermes.bench.client.Ping1000Benchmark;
import dev.kermes.bench.commands.CommandsBenchmark;
import dev.kermes.bench.events.EventsBenchmark;
import dev.kermes.bench.expiry.ExpiryBenchmark;
import dev.kermes.bench.footprint.AllocationBenchmark;
import dev.kermes.bench.footprint.MemoryBenchmark;
import dev.kermes.bench.footprint.StartUpBenchmark;
import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.http.HttpBenchmark;
import dev.kermes.bench.persistence.PersistenceBenchmark;
import dev.kermes.bench.reactor.ReactorBenchmark;
import dev.kermes.bench.tails.TailsBenchmark;
import dev.kermes.bench.throughput.NoisyNeighbourBenchmark;
import dev.kermes.bench.throughput.RedisBenchmark;
import dev.kermes.bench.throughput.SeedRedisBenchmark;
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
          new CommandsBenchmark(),
          new TailsBenchmark(),
          new ExpiryBenchmark(),
          new PersistenceBenchmark(),
          new MemoryBenchmark(),
          new StartUpBenchmark(),
          new AllocationBenchmark(),
          new HttpBenchmark(),
          new ReactorBenchmark(),
          new EventsBenchmark());

  private Benchmarks() {}

  static @Nullable Benchmark find(String name) {
    for (Benchmark benchmark : ALL) if (benchmark.name().equals(name)) return benchmark;
    return null;
  }
}
