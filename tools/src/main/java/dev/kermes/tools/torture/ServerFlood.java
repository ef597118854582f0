package dev.kermes.tools.torture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kermes.cli.rediscli.CliConnection;
import dev.kermes.cli.rediscli.CliTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/**
 * Attacks a server with clients that do not read their replies, do not finish their requests, or
 * only come in great numbers.
 */
final class ServerFlood extends Flood {

  /** The number of attackers of each kind per listener. */
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

  /** The listener that it uses. */
  enum Way {
    TCP,
    TLS,
    UNIX
  }

  ServerFlood(Path folder, String heap, int connections) {
    super(folder, heap, connections);
  }

  @Override
  FloodVictim start(Path folder, String heap) throws IOException {
    return FloodVictim.start(folder, heap);
  }

  @Override
  void behaveWell(CliConnection good, int round) throws IOException {
    findings().measure(good, "PING");
    findings().measure(good, "SET", "good" + round % 100, KILOBYTE);
    findings().measure(good, "GET", "good" + round % 100);
    findings().measure(good, "DEL", "good" + round % 100);
  }

  @Override
  Attackers attack(FloodVictim victim, int connections) {
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
      attackers.start(() -> attackers.holdOpen(connect(victim, way)));
    }
    return attackers;
  }

  private static CliConnection connect(FloodVictim victim, Way way) throws IOException {
    if (way == Way.UNIX) {
      return CliConnection.open(UnixDomainSocketAddress.of(victim.unixSocket()));
    }
    int port = way == Way.TLS ? victim.otherPort() : victim.port();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return way == Way.TLS
        ? CliConnection.open(address, CliTls.insecure())
        : CliConnection.open(address);
  }
}
