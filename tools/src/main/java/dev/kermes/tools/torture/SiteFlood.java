package dev.kermes.tools.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.kermes.cli.rediscli.CliConnection;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Attacks a {@link FloodSite}: its HTTP server with unfinished requests, with responses and
 * WebSocket messages that are not read, and with connections without a request; its Redis server
 * with clients in the same JVM. A well-behaved client uses both.
 */
final class SiteFlood extends Flood {

  /** The number of attackers of each kind. */
  private static final int OF_EACH_KIND = 8;

  private static final String KILOBYTE = "x".repeat(1024);
  private static final String HOST = "HTTP/1.1\r\nHost: flood\r\n";
  private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)content-length: (\\d+)");
  private static final String UPGRADE =
      "GET /echo "
          + HOST
          + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n";

  /** Bytes that a hostile client sends first, and others that it repeats without reading. */
  enum Kind {
    PIPELINE("", "GET / " + HOST + "\r\n"),
    LARGE_RESPONSES("", "GET /large " + HOST + "\r\n"),
    MISSING("", "GET /missing " + HOST + "\r\n"),
    HEADERS("GET / " + HOST, "X: " + KILOBYTE + "\r\n"),
    REQUEST_LINE("GET /", KILOBYTE),
    BODY("POST / " + HOST + "Content-Length: 8000000\r\n\r\n", KILOBYTE),
    LONG_BODY("POST / " + HOST + "Content-Length: 8000000000\r\n\r\n", KILOBYTE),
    CHUNKS("POST / " + HOST + "Transfer-Encoding: chunked\r\n\r\n", "400\r\n" + KILOBYTE + "\r\n"),
    BODIES("", "POST / " + HOST + "Content-Length: 1024\r\n\r\n" + KILOBYTE),
    PINGS(UPGRADE, frame(0x89, 100)),
    MESSAGES(UPGRADE, frame(0x81, 1000)),
    SMALL_MESSAGES(UPGRADE, frame(0x81, 1)),
    UNFINISHED_MESSAGE(UPGRADE + frame(0x01, 100), frame(0x00, 1000));

    private final String first;
    private final String then;

    Kind(String first, String then) {
      this.first = first;
      this.then = then.repeat(1 + 16_000 / then.length());
    }
  }

  /** A client's frame, masked with zeros: {@code |opcode|0x80+length|mask 4|x ...|}. */
  private static String frame(int opcode, int length) {
    String extended = length < 126 ? "" : "" + (char) (length >> 8) + (char) (length & 0xff);
    int shortLength = extended.isEmpty() ? length : 126;
    return ""
        + (char) opcode
        + (char) (0x80 | shortLength)
        + extended
        + "\0\0\0\0"
        + "x".repeat(length);
  }

  private @Nullable CliConnection http;

  SiteFlood(Path folder, String heap, int connections) {
    super(folder, heap, connections);
  }

  @Override
  FloodVictim start(Path folder, String heap) throws IOException {
    return FloodVictim.startSite(folder, heap);
  }

  @Override
  void begin(FloodVictim victim) throws IOException {
    http = connect(victim.otherPort());
    get();
  }

  @Override
  void end(FloodVictim victim) throws IOException {
    victim.tell("end");
    get();
    requireNonNull(http).close();
  }

  @Override
  Attackers attack(FloodVictim victim, int connections) throws IOException {
    victim.tell("attack");
    Attackers attackers = new Attackers();
    for (int i = 0; i < OF_EACH_KIND; i++) {
      for (Kind kind : Kind.values()) {
        byte[] first = kind.first.getBytes(ISO_8859_1);
        byte[] then = kind.then.getBytes(ISO_8859_1);
        attackers.start(() -> attackers.flood(connect(victim.otherPort()), first, then));
      }
    }
    for (int i = 0; i < connections; i++) {
      attackers.start(() -> attackers.holdOpen(connect(victim.otherPort())));
    }
    return attackers;
  }

  @Override
  void behaveWell(CliConnection redis, int round) throws IOException {
    findings().measure(redis, "PING");
    long start = System.nanoTime();
    get();
    findings().waited(System.nanoTime() - start);
  }

  /** A request on a connection that stays open. */
  private void get() throws IOException {
    CliConnection http = requireNonNull(this.http);
    byte[] request = ("GET / " + HOST + "\r\n").getBytes(ISO_8859_1);
    http.sendRaw(request, request.length);
    String head = readTo(http.input(), "\r\n\r\n");
    String body = new String(http.input().readNBytes(bodyLength(head)), ISO_8859_1);
    if (!head.startsWith("HTTP/1.1 200 ") || !body.equals("hello")) {
      findings().fault("GET /: " + head.lines().findFirst() + " " + body);
    }
  }

  private static int bodyLength(String head) {
    Matcher field = CONTENT_LENGTH.matcher(head);
    return field.find() ? Integer.parseInt(field.group(1)) : 0;
  }

  private static String readTo(InputStream in, String end) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (!read.toString(ISO_8859_1).endsWith(end)) {
      int one = in.read();
      if (one < 0) throw new EOFException("the HTTP server closed the connection");
      read.write(one);
    }
    return read.toString(ISO_8859_1);
  }
}
