package dev.kermes.bench.reactor;

import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.util.DaemonThreadFactory;
import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.peers.ProcessCpu;
import dev.kermes.reactor.Reactor;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Events from one or two threads to a handler that counts them, ordered by key: our reactor, with
 * its handler on virtual threads and on the emitting thread; Vert.x's event bus; and a Disruptor,
 * which knows neither keys nor patterns and is the lower bound.
 */
public final class ReactorBenchmark implements Benchmark {

  private static final Figure CPU = new Figure("cpuSecondsPerMillion", "CPU s/M", "%.3f");

  /** A bus that has a handler for each of {@code keys}; {@code emit} takes the index of one. */
  private interface Bus extends AutoCloseable {
    void emit(int key, Object payload);

    @Override
    void close();
  }

  private interface Maker {
    Bus make(String[] keys, LongAdder handled);
  }

  @Override
  public String name() {
    return "reactor";
  }

  @Override
  public String summary() {
    return "events emitted and handled, by 1 and 2 threads, with 1 and 10,000 keys";
  }

  @Override
  public Set<String> options() {
    return Set.of("--events");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report = new Report(name(), summary(), List.of(Figure.OPS, CPU), List.of(Figure.OPS));
    int events = options.number("--events", options.isQuick() ? 200_000 : 2_000_000);
    Map<String, Maker> makers = new LinkedHashMap<>();
    makers.put("kermes", (keys, handled) -> reactor(keys, handled, false));
    makers.put("kermes on caller", (keys, handled) -> reactor(keys, handled, true));
    makers.put("vert.x", ReactorBenchmark::vertx);
    makers.put("disruptor", ReactorBenchmark::disruptor);
    for (int threads : List.of(1, 2)) {
      for (int keys : List.of(1, 10_000)) {
        measure(threads, keys, events, makers, options, report, progress);
      }
    }
    progress.done();
    report.note(
        "Medians of %d runs of %,d events each, the buses alternating, after one to warm up."
            .formatted(options.runs(), events));
    return report;
  }

  private static void measure(
      int threads,
      int keyCount,
      int events,
      Map<String, Maker> makers,
      Options options,
      Report report,
      Progress progress)
      throws InterruptedException {
    String[] keys = new String[keyCount];
    for (int i = 0; i < keyCount; i++) keys[i] = "key/" + i;
    Map<String, Medians> medians = new LinkedHashMap<>();
    String benchCase = "%d threads, %,d keys".formatted(threads, keyCount);
    for (int run = 0; run <= options.runs(); run++) {
      for (Map.Entry<String, Maker> entry : makers.entrySet()) {
        if (!options.admits(entry.getKey())) continue;
        progress.show(benchCase + ", run " + run + ": " + entry.getKey());
        Map<String, Double> figures = once(entry.getValue(), keys, threads, events);
        if (run > 0) medians.computeIfAbsent(entry.getKey(), key -> new Medians()).add(figures);
      }
    }
    medians.forEach((name, found) -> report.add(new Row(name, "", benchCase, found.figures())));
  }

  private static Map<String, Double> once(Maker maker, String[] keys, int threads, int events)
      throws InterruptedException {
    LongAdder handled = new LongAdder();
    try (Bus bus = maker.make(keys, handled)) {
      double cpuBefore = ProcessCpu.ownSeconds();
      long began = System.nanoTime();
      List<Thread> emitters = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int first = t;
        emitters.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int i = first; i < events; i += threads) bus.emit(i % keys.length, "x");
                }));
      }
      for (Thread emitter : emitters) emitter.join();
      while (handled.sum() < events) LockSupport.parkNanos(20_000);
      double seconds = (System.nanoTime() - began) / 1e9;
      double cpu = ProcessCpu.ownSeconds() - cpuBefore;
      return Map.of(Figure.OPS.name(), events / seconds, CPU.name(), cpu / events * 1e6);
    }
  }

  private static Bus reactor(String[] keys, LongAdder handled, boolean onCaller) {
    Reactor reactor = Reactor.create();
    var spec = reactor.at("key/{k}");
    if (onCaller) spec.onCaller();
    spec.handle(event -> handled.increment());
    return new Bus() {
      @Override
      public void emit(int key, Object payload) {
        reactor.emit(keys[key], payload);
      }

      @Override
      public void close() {
        reactor.close();
      }
    };
  }

  /** Vert.x has no patterns: a consumer per address. */
  private static Bus vertx(String[] keys, LongAdder handled) {
    Vertx vertx = Vertx.vertx();
    for (String key : keys) vertx.eventBus().consumer(key, message -> handled.increment());
    return new Bus() {
      @Override
      public void emit(int key, Object payload) {
        vertx.eventBus().send(keys[key], payload);
      }

      @Override
      public void close() {
        vertx.close().await();
      }
    };
  }

  private static Bus disruptor(String[] keys, LongAdder handled) {
    Supplier<Object[]> slots = () -> new Object[1];
    Disruptor<Object[]> disruptor =
        new Disruptor<>(slots::get, 1 << 16, DaemonThreadFactory.INSTANCE);
    disruptor.handleEventsWith((event, sequence, isEnd) -> handled.increment());
    disruptor.start();
    return new Bus() {
      @Override
      public void emit(int key, Object payload) {
        disruptor.publishEvent((event, sequence) -> event[0] = payload);
      }

      @Override
      public void close() {
        disruptor.shutdown();
      }
    };
  }
}
