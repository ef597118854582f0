package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Attacks a server with clients that do not read what they asked for, do not end what they began,
 * or only come in great numbers, and looks how a well-behaved client fares meanwhile: it must be
 * served, within a second most of the time, and the server must have its memory back afterwards.
 */
final class Flood {

  /** The 99th percentile of what the well-behaved client waits. */
  private static final long MILLIS_MAX = 1000;

  /** What the account of memory may be off by, and the heap after a collection. */
  private static final long ACCOUNT_SLACK = 1 << 20;

  private static final long HEAP_SLACK = 24 << 20;

  /** How many of each kind there are on each way in. */
  private static final int OF_EACH_KIND = 4;

  /** How long memory may take to return. */
  private static final int RETURN_SECONDS = 20;

  private static final String LOG_IN = "AUTH " + FloodVictim.PASSWORD + "\r\n";
  private static final String KILOBYTE = "x".repeat(1024);

  /** What a hostile client sends first, and then over and over without reading anything. */
  enum Kind {
    STRANGER("", "GET a\r\n"),
    STRANGER_WITH_UNFINISHED_COMMAND("*3\r\n$3\r\nSET\r\n$16000\r\n", KILOBYTE),
    PIPELINE(LOG_IN, "GET a\r\n"),
    LONG_REPLIES(LOG_IN, "COMMAND\r\n"),
    UNFINISHED_COMMAND(LOG_IN + "*2\r\n$4\r\nECHO\r\n$400000000\r\n", KILOBYTE),
    SUBSCRIBER(LOG_IN + "SUBSCRIBE flood\r\n", ""),
    PUBLISHER(LOG_IN, "PUBLISH flood " + KILOBYTE + "\r\n"),
    QUEUE(LOG_IN + "MULTI\r\n", "SET b " + KILOBYTE + "\r\n"),
    BLOCKED(LOG_IN + "BLPOP nothing 0\r\n", "GET a\r\n");

    private final String first;
    private final String then;

    Kind(String first, String then) {
      this.first = first;
      this.then = then.repeat(then.isEmpty() ? 0 : 1 + 16_000 / then.length());
    }
  }

  /** How it comes in. */
  enum Way {
    TCP,
    TLS,
    UNIX
  }

  private final Path folder;
  private final String heap;
  private final int connections;
  private final Collection<CliConnection> open = new ConcurrentLinkedQueue<>();
  private final List<String> faults = new ArrayList<>();
  private final List<Long> nanos = new ArrayList<>();
  private volatile boolean isOver;
  private long refusals;
  private String report = "";

  Flood(Path folder, String heap, int connections) {
    this.folder = folder;
    this.heap = heap;
    this.connections = connections;
  }

  /** What went wrong. */
  List<String> faults() {
    return faults;
  }

  /** What was measured. */
  String report() {
    return report;
  }

  /** Attacks for so long, and then waits until memory has returned. */
  void run(int seconds) throws IOException, InterruptedException {
    FloodVictim victim = FloodVictim.start(folder, heap);
    try (CliConnection good = connect(victim, Way.TCP)) {
      ask(good, "AUTH", FloodVictim.PASSWORD);
      long accountBefore = info(good, "used_memory");
      long heapBefore = heapAfterCollection(good);
      List<Thread> attackers = attack(victim);
      behaveWell(good, System.nanoTime() + seconds * 1_000_000_000L);
      long rss = victim.rssKilobytes();
      isOver = true;
      for (CliConnection each : open) each.close();
      for (Thread each : attackers) each.join();
      long account = waitForReturn(good, accountBefore);
      long heapAfter = heapAfterCollection(good);
      if (heapAfter > heapBefore + HEAP_SLACK) {
        faults.add("the heap has not returned: before=" + heapBefore + ", after=" + heapAfter);
      }
      report(victim, rss, account, heapAfter);
    } catch (IOException e) {
      faults.add("the well-behaved client was lost: " + e.getMessage());
    } finally {
      isOver = true;
      for (CliConnection each : open) each.close();
      if (!victim.isAlive()) faults.add("the server has ended");
      victim.end();
    }
  }

  private void report(FloodVictim victim, long rss, long account, long heapAfter)
      throws IOException {
    long p99 = percentile(99) / 1_000_000;
    if (p99 > MILLIS_MAX) faults.add("the well-behaved client waited: p99=" + p99 + " ms");
    report =
        ("requests=%d, refused for memory=%d, p50=%.1f ms, p99=%d ms, max=%d ms, log lines=%d,"
                + " RSS=%d MB under attack and %d after, used_memory=%d, heap=%d MB after")
            .formatted(
                nanos.size(),
                refusals,
                percentile(50) / 1e6,
                p99,
                percentile(100) / 1_000_000,
                victim.logLines(),
                rss >> 10,
                victim.rssKilobytes() >> 10,
                account,
                heapAfter >> 20);
  }

  private long percentile(int percent) {
    if (nanos.isEmpty()) return Long.MAX_VALUE;
    long[] sorted = nanos.stream().mapToLong(each -> each).sorted().toArray();
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
  }

  // The well-behaved client

  private void behaveWell(CliConnection good, long endNanos)
      throws IOException, InterruptedException {
    for (int n = 0; System.nanoTime() - endNanos < 0; n++) {
      measure(good, "PING");
      measure(good, "SET", "good" + n % 100, KILOBYTE);
      measure(good, "GET", "good" + n % 100);
      measure(good, "DEL", "good" + n % 100);
      Thread.sleep(5);
    }
  }

  private void measure(CliConnection good, String... words) throws IOException {
    long start = System.nanoTime();
    Reply reply = send(good, words);
    nanos.add(System.nanoTime() - start);
    if (!reply.isError()) return;
    boolean isRefusal = words[0].equals("SET") && reply.string().startsWith("OOM");
    if (isRefusal) refusals++;
    else faults.add(Arrays.toString(words) + ": " + reply.string());
  }

  private static Reply send(CliConnection connection, String... words) throws IOException {
    connection.send(Arrays.stream(words).map(word -> word.getBytes(US_ASCII)).toList());
    return connection.receive();
  }

  private static Reply ask(CliConnection connection, String... words) throws IOException {
    Reply reply = send(connection, words);
    if (reply.isError()) throw new IOException(reply.string());
    return reply;
  }

  private long waitForReturn(CliConnection good, long before)
      throws IOException, InterruptedException {
    long account = info(good, "used_memory");
    for (int i = 0; i < RETURN_SECONDS * 10 && account > before + ACCOUNT_SLACK; i++) {
      Thread.sleep(100);
      account = info(good, "used_memory");
    }
    if (account > before + ACCOUNT_SLACK) {
      faults.add("memory has not returned: before=" + before + ", after=" + account);
    }
    return account;
  }

  private static long heapAfterCollection(CliConnection good) throws IOException {
    ask(good, "MEMORY", "PURGE");
    return info(good, "used_memory_heap");
  }

  private static long info(CliConnection good, String field) throws IOException {
    for (String line : ask(good, "INFO", "memory").string().split("\r\n")) {
      if (line.startsWith(field + ":")) return Long.parseLong(line.substring(field.length() + 1));
    }
    throw new IOException("INFO has no " + field);
  }

  // The others

  private List<Thread> attack(FloodVictim victim) {
    List<Thread> attackers = new ArrayList<>();
    for (int i = 0; i < OF_EACH_KIND; i++) {
      for (Way way : Way.values()) {
        for (Kind kind : Kind.values()) {
          attackers.add(Thread.ofVirtual().start(() -> repeat(() -> flood(victim, way, kind))));
        }
      }
    }
    for (int i = 0; i < connections; i++) {
      Way way = Way.values()[i % 3];
      attackers.add(Thread.ofVirtual().start(() -> repeat(() -> lookOn(victim, way))));
    }
    return attackers;
  }

  private interface Attack {
    void run() throws IOException;
  }

  private void repeat(Attack attack) {
    while (!isOver) {
      try {
        attack.run();
      } catch (IOException e) {
        // It was refused or closed, and comes again.
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void flood(FloodVictim victim, Way way, Kind kind) throws IOException {
    try (CliConnection connection = opened(victim, way)) {
      byte[] first = kind.first.getBytes(US_ASCII);
      connection.sendRaw(first, first.length);
      byte[] then = kind.then.getBytes(US_ASCII);
      while (!isOver && then.length > 0) connection.sendRaw(then, then.length);
      while (!isOver) Thread.sleep(100);
    } catch (InterruptedException e) {
      isOver = true;
    }
  }

  /** Waits until it is closed. */
  private void lookOn(FloodVictim victim, Way way) throws IOException {
    try (CliConnection connection = opened(victim, way)) {
      connection.receive();
    }
  }

  private CliConnection opened(FloodVictim victim, Way way) throws IOException {
    CliConnection connection = connect(victim, way);
    open.add(connection);
    if (isOver) connection.close();
    return connection;
  }

  private static CliConnection connect(FloodVictim victim, Way way) throws IOException {
    if (way == Way.UNIX) {
      return CliConnection.open(UnixDomainSocketAddress.of(victim.unixSocket()), new CliTls());
    }
    CliTls tls = new CliTls();
    tls.isOn = way == Way.TLS;
    tls.isInsecure = true;
    int port = way == Way.TLS ? victim.tlsPort() : victim.port();
    return CliConnection.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), tls);
  }
}
