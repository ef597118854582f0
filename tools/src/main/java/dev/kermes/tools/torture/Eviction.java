package dev.kermes.tools.torture;

import dev.kermes.cli.rediscli.CliConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes mixed data to a server whose {@code maxmemory} is what its INFO recommends, so that it
 * evicts all the time, and looks for lack of memory and long full collections.
 */
final class Eviction {

  private static final int WRITERS = 4;

  /** The tolerated time of a full collection, in milliseconds. */
  private static final double FULL_PAUSE_MAX = 100;

  /** The account may exceed maxmemory by a large value that was just written. */
  private static final double ACCOUNT_SLACK = 1.05;

  private static final Pattern PAUSE = Pattern.compile("Pause (\\w+).* ([0-9.]+)ms$");

  private final Path folder;
  private final String heap;
  private final int rate;
  private final long seed;
  private final List<String> faults = new ArrayList<>();
  private String report = "";

  Eviction(Path folder, String heap, int rate, long seed) {
    this.folder = folder;
    this.heap = heap;
    this.rate = rate;
    this.seed = seed;
  }

  /** One line for each expectation that was not met. */
  List<String> faults() {
    return faults;
  }

  /** Returns the measurements as one line. */
  String report() {
    return report;
  }

  /** Writes for {@code seconds}. */
  void run(int seconds) throws IOException, InterruptedException {
    FloodVictim victim = FloodVictim.startLogged(folder, heap);
    try (CliConnection redis = Flood.connect(victim.port())) {
      FloodFindings.logIn(redis);
      long limit = FloodFindings.info(redis, "memory", "maxmemory_recommended");
      FloodFindings.ask(redis, "CONFIG", "SET", "maxmemory", Long.toString(limit));
      FloodFindings.ask(redis, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      List<EvictionWriter> writers = write(victim, limit, seconds);
      long used = FloodFindings.info(redis, "memory", "used_memory");
      long evicted = FloodFindings.info(redis, "stats", "evicted_keys");
      if (used > limit * ACCOUNT_SLACK) {
        faults.add("the data exceed maxmemory: used_memory=" + used + ", maxmemory=" + limit);
      }
      if (evicted == 0) faults.add("nothing was evicted: write for longer");
      report = report(writers, limit, used, evicted);
    } catch (IOException e) {
      faults.add("a client was lost: " + e.getMessage());
    } finally {
      if (!victim.isAlive()) faults.add("the server has ended");
      victim.end();
    }
    report += ", " + pauses();
    if (Files.readString(folder.resolve("log")).contains("OutOfMemoryError")) {
      faults.add("the server ran out of memory, see its log");
    }
  }

  private List<EvictionWriter> write(FloodVictim victim, long limit, int seconds)
      throws IOException, InterruptedException {
    List<EvictionWriter> writers = new ArrayList<>();
    long endNanos = System.nanoTime() + seconds * 1_000_000_000L;
    for (int i = 0; i < WRITERS; i++) {
      CliConnection connection = Flood.connect(victim.port());
      FloodFindings.logIn(connection);
      Random random = new Random(seed + i);
      writers.add(new EvictionWriter(connection, random, limit, rate / WRITERS, endNanos));
    }
    for (EvictionWriter writer : writers) writer.start();
    for (EvictionWriter writer : writers) {
      writer.join();
      faults.addAll(writer.faults());
    }
    return writers;
  }

  private static String report(List<EvictionWriter> writers, long limit, long used, long evicted) {
    long commands = 0;
    long worst = 0;
    for (EvictionWriter writer : writers) {
      commands += writer.commands();
      worst = Math.max(worst, writer.worstNanos());
    }
    return "commands=%d, worst burst=%d ms, evicted=%d, used_memory=%d MB of %d"
        .formatted(commands, worst / 1_000_000, evicted, used >> 20, limit >> 20);
  }

  /** Describes the collections of the server's log of them, and notes full ones that took long. */
  private String pauses() throws IOException {
    long full = 0;
    double worstFull = 0;
    double worst = 0;
    try (Stream<String> lines = Files.lines(folder.resolve("gc.log"))) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher pause = PAUSE.matcher(line);
        if (!pause.find()) continue;
        double millis = Double.parseDouble(pause.group(2));
        worst = Math.max(worst, millis);
        if (!pause.group(1).equals("Full")) continue;
        full++;
        worstFull = Math.max(worstFull, millis);
      }
    }
    if (worstFull > FULL_PAUSE_MAX) faults.add("a full collection took " + worstFull + " ms");
    return "full collections=%d, longest=%.1f ms, longest pause=%.1f ms"
        .formatted(full, worstFull, worst);
  }
}
