package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * Attacks a server with clients that do not read what they asked for, do not end what they began,
 * or only come in great numbers, and looks how a well-behaved client fares meanwhile: it must be
 * served, within a second most of the time, and the server must have its memory back afterwards.
 */
final class Flood {

  /** How many of each kind there are on each way in. */
  private static final int OF_EACH_KIND = 4;

  private static final String LOG_IN = "AUTH " + FloodVictim.PASSWORD + "\r\n";
  private static final String KILOBYTE = "x".repeat(1024);

  /** Bytes that a hostile client sends first, and others that it repeats without reading. */
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
  private final FloodFindings findings = new FloodFindings();
  private String report = "";

  Flood(Path folder, String heap, int connections) {
    this.folder = folder;
    this.heap = heap;
    this.connections = connections;
  }

  /** One line for each expectation that was not met. */
  List<String> faults() {
    return findings.faults();
  }

  /** The measurements as one line. */
  String report() {
    return report;
  }

  /** Attacks for so long, and then waits until memory has returned. */
  void run(int seconds) throws IOException, InterruptedException {
    FloodVictim victim = FloodVictim.start(folder, heap);
    try (CliConnection good = connect(victim, Way.TCP)) {
      FloodFindings.logIn(good);
      findings.begin(good);
      long rss;
      Attackers attackers = attack(victim);
      try {
        behaveWell(good, System.nanoTime() + seconds * 1_000_000_000L);
        rss = victim.rssKilobytes();
      } finally {
        attackers.close();
      }
      findings.end(good);
      findings.logged(victim.logLines(), seconds);
      report = findings.report() + ", " + victim.report(rss);
    } catch (IOException e) {
      findings.fault("the well-behaved client was lost: " + e.getMessage());
    } finally {
      if (!victim.isAlive()) findings.fault("the server has ended");
      victim.end();
    }
  }

  private void behaveWell(CliConnection good, long endNanos)
      throws IOException, InterruptedException {
    for (int n = 0; System.nanoTime() - endNanos < 0; n++) {
      findings.measure(good, "PING");
      findings.measure(good, "SET", "good" + n % 100, KILOBYTE);
      findings.measure(good, "GET", "good" + n % 100);
      findings.measure(good, "DEL", "good" + n % 100);
      Thread.sleep(5);
    }
  }

  private Attackers attack(FloodVictim victim) {
    Attackers attackers = new Attackers();
    for (int i = 0; i < OF_EACH_KIND; i++) {
      for (Way way : Way.values()) {
        for (Kind kind : Kind.values()) {
          byte[] first = kind.first.getBytes(US_ASCII);
          byte[] then = kind.then.getBytes(US_ASCII);
          attackers.start(() -> attackers.flood(connect(victim, way), first, then));
        }
      }
    }
    for (int i = 0; i < connections; i++) {
      Way way = Way.values()[i % 3];
      attackers.start(() -> attackers.lookOn(connect(victim, way)));
    }
    return attackers;
  }

  private static CliConnection connect(FloodVictim victim, Way way) throws IOException {
    if (way == Way.UNIX) {
      return CliConnection.open(UnixDomainSocketAddress.of(victim.unixSocket()), new CliTls());
    }
    CliTls tls = new CliTls();
    tls.isOn = way == Way.TLS;
    tls.isInsecure = true;
    int port = way == Way.TLS ? victim.otherPort() : victim.port();
    return CliConnection.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), tls);
  }
}
