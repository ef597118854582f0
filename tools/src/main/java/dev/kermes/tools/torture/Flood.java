package dev.kermes.tools.torture;

import dev.kermes.cli.rediscli.CliConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Attacks a victim with hostile clients, and measures a well-behaved client during the attack: it
 * must be served, within a second most of the time, and the victim must release its memory
 * afterwards.
 */
abstract class Flood {

  /** 60: after this time without an answer the victim is ended, so that the client is lost. */
  private static final int LATE_SECONDS = 60;

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

  abstract FloodVictim start(Path folder, String heap) throws IOException;

  /** Called before the attack. */
  void begin(FloodVictim victim) throws IOException {}

  /** Starts attackers of every kind, and the given number of idle connections. */
  abstract Attackers attack(FloodVictim victim, int connections) throws IOException;

  /** Runs one round of the well-behaved client. */
  abstract void behaveWell(CliConnection redis, int round) throws IOException;

  /** Called after the attack. */
  void end(FloodVictim victim) throws IOException {}

  /** One line for each expectation that was not met. */
  final List<String> faults() {
    return findings.faults();
  }

  /** Returns the measurements as one line. */
  final String report() {
    return report;
  }

  final FloodFindings findings() {
    return findings;
  }

  /** Attacks for {@code seconds}, and then waits until memory is released. */
  final void run(int seconds) throws IOException, InterruptedException {
    FloodVictim victim = start(folder, heap);
    try (CliConnection redis = connect(victim.port())) {
      FloodFindings.logIn(redis);
      begin(victim);
      findings.begin(redis);
      long rss = attack(victim, redis, seconds);
      end(victim);
      findings.end(redis);
      findings.logged(victim.logLines(), seconds);
      report = findings.report() + ", " + victim.report(rss);
    } catch (IOException e) {
      findings.fault("the well-behaved client was lost: " + e.getMessage());
    } finally {
      if (!victim.isAlive()) findings.fault("the server has ended");
      victim.end();
    }
  }

  /** Returns the victim's memory at the end of the attack. */
  private long attack(FloodVictim victim, CliConnection redis, int seconds)
      throws IOException, InterruptedException {
    Attackers attackers = attack(victim, connections);
    Thread guard = Thread.ofVirtual().start(() -> endLate(victim, seconds + LATE_SECONDS));
    try {
      long endNanos = System.nanoTime() + seconds * 1_000_000_000L;
      for (int round = 0; System.nanoTime() - endNanos < 0; round++) {
        behaveWell(redis, round);
        Thread.sleep(5);
      }
      return victim.rssKilobytes();
    } finally {
      guard.interrupt();
      attackers.close();
    }
  }

  /** Ends a victim that leaves the well-behaved client without an answer. */
  private static void endLate(FloodVictim victim, int seconds) {
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
      victim.end();
    } catch (InterruptedException e) {
      // The attack ended in time.
    }
  }

  static CliConnection connect(int port) throws IOException {
    return CliConnection.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }
}
