package dev.kermes.bench.events;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.ProcessCpu;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Events of 100 bytes that are stored in one server and handled by members in this process: how
 * many per second, the processor time of both sides, and the time from emit to the handler. The
 * libraries take turns, each run with an empty server.
 */
public final class EventsBenchmark implements Benchmark {

  private static final int PAYLOAD_BYTES = 100;

  /** Emitted, and not yet confirmed by the server. */
  private static final int UNCONFIRMED_MAX = 1000;

  /** Events per second at which latency is measured. */
  private static final int RATE = 1000;

  /** A run in which nothing is handled for this long has failed. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(30);

  private enum Kind {
    APPEND("append"),
    BACKLOG("handle a backlog"),
    BOTH("append and handle"),
    LATENCY("%,d/s".formatted(RATE));

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  private record Case(Kind kind, int members, int keys) {
    String label() {
      String who =
          kind == Kind.APPEND ? "" : ", " + members + (members == 1 ? " member" : " members");
      return "%s%s, %,d %s".formatted(kind.label, who, keys, keys == 1 ? "key" : "keys");
    }
  }

  @Override
  public String name() {
    return "events";
  }

  @Override
  public String summary() {
    return "durable events: append, handle, latency; 1 and 4 members, 1 and 10,000 keys";
  }

  @Override
  public Set<String> options() {
    return Set.of("--cases", "--clients", "--events");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    List<Figure> columns =
        List.of(Figure.OPS, Figure.CLIENT_CPU, Figure.SERVER_CPU, Figure.P50, Figure.P99);
    Report report = new Report(name(), summary(), columns, List.of(Figure.OPS, Figure.CLIENT_CPU));
    int events = options.number("--events", options.isQuick() ? 1_000 : 200_000);
    Peers peers = server(options);
    report.missing(peers.missing());
    report.missing(EventProgram.missing());
    try (RunningServers running = RunningServers.start(peers, progress)) {
      RunningServer server = running.servers().getFirst();
      note(report, server, options, events);
      for (Case each : cases(options)) {
        measure(each, server, events, options, report, progress);
        progress.keep(report);
      }
    }
    progress.done();
    return report;
  }

  private static void note(Report report, RunningServer server, Options options, int events) {
    report.note("Server: %s %s.".formatted(server.peer().name(), server.version()));
    report.note(
        "Medians of %d runs of %,d events (%,d/s: %,d) after one to warm up, the libraries in turn."
            .formatted(runs(options), events, RATE, latencyEvents(events)));
    report.note("kermes: 16 partitions, in order per key over all members, fenced.");
    report.note(
        "lettuce, redisson (RStream): one stream, XREADGROUP and XACK of up to 100; no order with"
            + " several members, no recovery of the events of a member that has died.");
    report.note("redisson topic (RReliableTopic): every listener gets every event.");
    report.note("spring: XADD one at a time, StreamMessageListenerContainer, one XACK per event.");
    report.note(
        "bullmq, asynq, dramatiq: jobs without order, in processes of their own; no latency here.");
  }

  /** The installed Redis, unless the options select another server. */
  private static Peers server(Options options) {
    Peers all = Peers.find(options, false, false);
    for (Peer peer : all.present()) {
      if (options.find("--only") != null || peer.name().equals("redis-server")) {
        return new Peers(List.of(peer), List.of());
      }
    }
    return all;
  }

  private static int runs(Options options) {
    return options.number("--runs", options.isQuick() ? 1 : 5);
  }

  /** A backlog is for one member: several would hand partitions over while they work on it. */
  private static List<Case> cases(Options options) {
    List<Case> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      boolean isShared = kind == Kind.BOTH || kind == Kind.LATENCY;
      for (int members : isShared ? List.of(1, 4) : List.of(1)) {
        for (int keys : List.of(1, 10_000)) all.add(new Case(kind, members, keys));
      }
    }
    if (options.isQuick()) all.removeIf(each -> each.members() > 1 && each.keys() == 1);
    all.removeIf(each -> !options.wants(each.label()));
    return all;
  }

  private static void measure(
      Case each,
      RunningServer server,
      int events,
      Options options,
      Report report,
      Progress progress)
      throws Exception {
    Map<String, Medians> medians = new LinkedHashMap<>();
    String url = "redis://127.0.0.1:" + server.address().getPort();
    for (int run = 0; run <= runs(options); run++) {
      for (Map.Entry<String, Function<String, EventLog>> library : EventLogs.all().entrySet()) {
        String name = library.getKey();
        if (each.members() > 1 && name.equals(EventLogs.BROADCAST)) continue;
        if (!isWanted(name, options)) continue;
        progress.show("%s: %s, run %d".formatted(each.label(), name, run));
        server.flush();
        try (EventLog log = library.getValue().apply(url)) {
          Map<String, Double> figures = new Run(each, log, server, events).figures();
          if (run > 0) medians.computeIfAbsent(name, key -> new Medians()).add(figures);
        }
      }
      for (String name : programs(each, options)) {
        progress.show("%s: %s, run %d".formatted(each.label(), name, run));
        server.flush();
        Map<String, Double> figures = figures(name, each, server, events);
        if (run > 0) medians.computeIfAbsent(name, key -> new Medians()).add(figures);
      }
    }
    medians.forEach((name, found) -> report.add(new Row(name, "", each.label(), found.figures())));
  }

  private static List<String> programs(Case each, Options options) {
    if (each.kind() == Kind.LATENCY) return List.of();
    return EventProgram.found().stream().filter(name -> isWanted(name, options)).toList();
  }

  private static Map<String, Double> figures(
      String name, Case what, RunningServer server, int events) throws IOException {
    List<String> arguments =
        List.of(
            Integer.toString(server.address().getPort()),
            what.kind().name(),
            Integer.toString(what.members()),
            Integer.toString(what.keys()),
            Integer.toString(events));
    try (EventProgram program = EventProgram.start(name, arguments)) {
      double before = server.cpuSeconds();
      EventProgram.Result result = program.run();
      double serverSeconds = server.cpuSeconds() - before;
      return figures(events, result.seconds(), result.cpuSeconds(), serverSeconds);
    }
  }

  /** A rate, and microseconds of processor time per event. */
  private static Map<String, Double> figures(
      int events, double seconds, double clientSeconds, double serverSeconds) {
    Map<String, Double> figures = new HashMap<>();
    figures.put(Figure.OPS.name(), events / seconds);
    figures.put(Figure.CLIENT_CPU.name(), clientSeconds / events * 1e6);
    figures.put(Figure.SERVER_CPU.name(), serverSeconds / events * 1e6);
    return figures;
  }

  /** Whether {@code --clients} names it, or is not given. */
  private static boolean isWanted(String name, Options options) {
    String wanted = options.find("--clients");
    return wanted == null || List.of(wanted.split(",")).contains(name);
  }

  private static int latencyEvents(int events) {
    return Math.min(events, 5 * RATE);
  }

  /** One run of one library. */
  private static final class Run {
    private final Case what;
    private final EventLog log;
    private final RunningServer server;
    private final int events;
    private final LongAdder handled = new LongAdder();
    private final ConcurrentHistogram latencies = new ConcurrentHistogram(3);
    private final Semaphore room = new Semaphore(UNCONFIRMED_MAX);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Run(Case what, EventLog log, RunningServer server, int events) {
      this.what = what;
      this.log = log;
      this.server = server;
      this.events = what.kind() == Kind.LATENCY ? latencyEvents(events) : events;
    }

    Map<String, Double> figures() throws InterruptedException {
      if (what.kind() == Kind.BACKLOG) emit();
      boolean isReadBefore = what.kind() == Kind.BOTH || what.kind() == Kind.LATENCY;
      if (isReadBefore) join();
      double client = ProcessCpu.ownSeconds();
      double other = server.cpuSeconds();
      long began = System.nanoTime();
      if (what.kind() == Kind.BACKLOG) join();
      else emit();
      if (what.kind() != Kind.APPEND) awaitHandled();
      double seconds = (System.nanoTime() - began) / 1e9;
      double clientSeconds = ProcessCpu.ownSeconds() - client;
      Map<String, Double> figures =
          EventsBenchmark.figures(events, seconds, clientSeconds, server.cpuSeconds() - other);
      if (what.kind() == Kind.LATENCY) {
        figures.put(Figure.P50.name(), latencies.getValueAtPercentile(50) / 1e6);
        figures.put(Figure.P99.name(), latencies.getValueAtPercentile(99) / 1e6);
      }
      return figures;
    }

    private void join() throws InterruptedException {
      for (int i = 0; i < what.members(); i++) log.join(this::handle);
      if (what.kind() != Kind.BACKLOG) log.settle();
    }

    private void handle(byte[] payload) {
      long waited = System.nanoTime() - ByteBuffer.wrap(payload).getLong();
      if (what.kind() == Kind.LATENCY) latencies.recordValue(Math.max(0, waited));
      handled.increment();
    }

    /** Emits all events and waits for the server's confirmations. */
    private void emit() throws InterruptedException {
      String[] keys = new String[what.keys()];
      for (int i = 0; i < keys.length; i++) keys[i] = "key" + i;
      long began = System.nanoTime();
      for (int i = 0; i < events; i++) {
        long due = System.nanoTime();
        if (what.kind() == Kind.LATENCY) due = awaitTurn(began, i);
        room.acquire();
        byte[] payload = new byte[PAYLOAD_BYTES];
        ByteBuffer.wrap(payload).putLong(due);
        var unused =
            log.append(keys[i % keys.length], payload)
                .whenComplete((stored, error) -> {
                  if (error != null) failure.compareAndSet(null, error);
                  room.release();
                });
      }
      room.acquire(UNCONFIRMED_MAX);
      Throwable cause = failure.get();
      if (cause != null) throw new IllegalStateException("an event was not stored", cause);
    }

    /** Waits until it is time for an event, and returns this time. */
    private static long awaitTurn(long began, int event) {
      long due = began + event * TimeUnit.SECONDS.toNanos(1) / RATE;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return due;
    }

    private void awaitHandled() {
      long last = 0;
      long since = System.nanoTime();
      for (long now = handled.sum(); now < events; now = handled.sum()) {
        if (now > last) since = System.nanoTime();
        last = now;
        if (System.nanoTime() - since > STUCK_NANOS) {
          throw new BenchmarkException("stuck: %s, handled=%d".formatted(what.label(), now));
        }
        LockSupport.parkNanos(100_000);
      }
    }
  }
}
