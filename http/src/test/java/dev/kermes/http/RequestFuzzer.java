package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Valid requests of HTTP/1, HTTP/2 and WebSockets that are then damaged. None may cause a 500, a
 * hang, a file from outside the directory, or a line in the log. The system property {@code
 * kermes.fuzz.requests} sets their number, 20,000 by default; {@code kermes.fuzz.seed} repeats a
 * run.
 */
class RequestFuzzer {

  private static final int REQUESTS = Integer.getInteger("kermes.fuzz.requests", 20_000);
  private static final long SEED = Long.getLong("kermes.fuzz.seed", System.nanoTime());
  private static final int CLIENTS = 64; // most of them wait for a silent server

  /** A secret that the client never sends, and must never receive. */
  private static final String SECRET = "the-secret-that-lies-outside";

  /** 100 ms: a server silent for this long waits for more input, and then gets the end of input. */
  private static final int SILENCE_MILLIS = 100;

  /** 20 seconds without a byte after the end of the input count as a hang. */
  private static final int HANG_MILLIS = 20_000;

  private static final String H = " HTTP/1.1\r\nHost: x\r\n";

  private static final List<byte[]> SEEDS = new ArrayList<>();

  static {
    seed("GET /echo/a" + H + "\r\n");
    seed("GET /files/a.txt" + H + "Range: bytes=0-1,3-\r\nIf-Range: \"x\"\r\n\r\n");
    seed("GET /files/../a.txt" + H + "If-None-Match: W/\"a\", *\r\n\r\n");
    seed("GET /files/%2e%2e/outside/secret" + H + "\r\n");
    seed("GET /files/sub/..%2f..%2fsecret" + H + "\r\n");
    seed("GET /lib/../../outside/secret" + H + "Accept-Encoding: gzip;q=0.5, br, *\r\n\r\n");
    seed("GET /listed/" + H + "Accept-Encoding: gzip\r\n\r\n");
    seed("HEAD /files/large" + H + "If-Modified-Since: Sun, 22 Nov 2026 00:00:00 GMT\r\n\r\n");
    seed("GET http://x/echo/a?b=c&d=%20+e HTTP/1.1\r\nHost: x\r\nCookie: a=b; c=d\r\n\r\n");
    seed("OPTIONS *" + H + "\r\n");
    seed("POST /echo/a" + H + "Content-Length: 5\r\n\r\nhello");
    seed("POST /loop" + H + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\nhello");
    seed(
        "POST /echo/a"
            + H
            + "Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n");
    seed("GET /echo/a HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /echo/b HTTP/1.0\r\n\r\n");
    seed("GET /echo/a" + H + "\r\nGET /files/large" + H + "\r\nGET /loop" + H + "\r\n");
    String form =
        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"g\"\r\n\r\nabc\r\n--b--";
    seed(
        "POST /parts"
            + H
            + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: "
            + form.length()
            + "\r\n\r\n"
            + form);
    String fields = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n";
    seed("POST /form" + H + fields + "\r\na=1&b=%20+x");
    String handshake =
        String.join(
            "\r\n",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "");
    seed(
        "GET /socket"
            + H
            + handshake
            + "\r\n\u0081\u0085\0\0\0\0hello\u0088\u0082\0\0\0\0\3\u00e8");
    seed(
        "GET /socket"
            + H
            + handshake
            + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
            + "\u00c1\u0087\0\0\0\0\u00f2H\u00cd\u00c9\u00c9\7\0\u0001\u0081\0\0\0\0a");
    // HTTP/2: preface, SETTINGS; HEADERS and DATA with fields of RFC 7541's static table
    String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    byte[] get = frame(1, 5, 1, "82 86 44 07 2f 65 63 68 6f 2f 61 41 01 78");
    byte[] post = frame(1, 4, 3, "83 86 44 05 2f 6c 6f 6f 70 41 01 78");
    byte[] data = frame(0, 1, 3, "68 65 6c 6c 6f");
    byte[] file = frame(1, 5, 5, "82 86 44 0c 2f 66 69 6c 65 73 2f 6c 61 72 67 65 41 01 78");
    byte[] settings = frame(4, 0, 0, "00 04 00 00 ff ff");
    byte[] window = frame(8, 0, 0, "00 00 ff ff");
    byte[] reset = frame(3, 0, 5, "00 00 00 08");
    byte[] ping = frame(6, 0, 0, "01 02 03 04 05 06 07 08");
    byte[] away = frame(7, 0, 0, "00 00 00 05 00 00 00 00");
    byte[] start = preface.getBytes(ISO_8859_1);
    SEEDS.add(joined(start, settings, get));
    SEEDS.add(joined(start, settings, post, data, ping));
    SEEDS.add(joined(start, settings, get, file, window, reset, away));
  }

  private static final List<String> WORDS =
      List.of(
          "\r\n",
          "\n",
          "\r",
          "\0",
          " ",
          "\t",
          ":",
          "/",
          "..",
          "%",
          "%00",
          "%2e%2e%2f",
          "%2f",
          "\\",
          "?",
          "#",
          ";",
          ",",
          "=",
          "\"",
          "-1",
          "0",
          "99999999999999999999",
          "0x10",
          "+1",
          "5;a=b",
          "\u0080",
          "\u00ff",
          "Content-Length: 3\r\n",
          "Transfer-Encoding: chunked\r\n",
          "Host: y\r\n",
          "Connection: close\r\n",
          "Expect: 100-continue\r\n",
          "HTTP/1.0",
          "HTTP/2.0",
          "bytes=-1",
          "bytes=5-2",
          "*",
          "[::1]",
          "é",
          "gzip;q=0",
          "boundary=",
          "--b",
          "\r\n\r\n");

  private static void seed(String text) {
    SEEDS.add(text.getBytes(ISO_8859_1));
  }

  private static byte[] frame(int type, int flags, int stream, String hex) {
    byte[] content = HexFormat.ofDelimiter(" ").parseHex(hex);
    byte[] head = {0, 0, (byte) content.length, (byte) type, (byte) flags, 0, 0, 0, (byte) stream};
    return joined(head, content);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) all.writeBytes(part);
    return all.toByteArray();
  }

  @TempDir Path folder;

  private final AtomicInteger left = new AtomicInteger(REQUESTS);
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  @Test
  void damagedRequests_neverCauseErrorsHangsEscapesOrLogs() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    Files.writeString(files.resolve("a.txt"), "file");
    Files.write(files.resolve("large"), new byte[100_000]);
    Files.createDirectory(files.resolve("sub"));
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("secret"), SECRET);
    Files.writeString(folder.resolve("secret"), SECRET);
    RecordedLogs.take();
    try (HttpServer server = server(files)) {
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(SEED + i);
        clients.add(Thread.ofVirtual().start(() -> attack(server.port(), random)));
      }
      for (Thread client : clients) client.join();
      assertThat(failures).as("seed %d", SEED).isEmpty();
      assertThat(RecordedLogs.take()).as("seed %d", SEED).isEmpty();
      assertThat(Wire.get(server, "/echo/a").status()).isEqualTo(200);
    }
  }

  private static HttpServer server(Path files) {
    return new HttpServer(0)
        .compress(true)
        .on("/echo/{x}**", request -> request.respond(ok(request.queryAll() + request.text())))
        .on("/loop", HttpHandler.onLoop(request -> request.respond(ok(request.text()))))
        .post("/form", request -> request.respond(ok(request.form().toString())))
        .post("/parts", RequestFuzzer::parts)
        .files("/files/{file}**", StaticFiles.of(files).withPrecompressed())
        .files("/listed/{file}**", StaticFiles.of(files).withListing())
        .get(
            "/lib/{file}**",
            request -> request.respond(ok(Path.of(files.toString(), request.pathParam("file")))))
        .webSocket("/socket", (socket, text) -> socket.send(text))
        .start();
  }

  private static void parts(HttpMessage request) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Part part : request.parts()) text.append(part.name()).append(part.text());
    request.respond(ok(text.toString()));
  }

  private void attack(int port, Random random) {
    while (left.getAndDecrement() > 0 && failures.size() < 10) {
      byte[] request = damaged(random);
      try {
        String answer = ask(port, request);
        if (answer.contains("HTTP/1.1 500")) fail("500", request);
        if (answer.contains(SECRET)) fail("escape", request);
      } catch (SocketTimeoutException e) {
        fail("hang", request);
      } catch (IOException e) {
        // The server may close while the client is still writing.
      }
    }
  }

  private void fail(String what, byte[] request) {
    failures.add(what + ": " + new String(request, ISO_8859_1));
  }

  private static String ask(int port, byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoLinger(true, 0); // leaves no port in TIME_WAIT
      socket.getOutputStream().write(request);
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      socket.setSoTimeout(SILENCE_MILLIS);
      try {
        socket.getInputStream().transferTo(answer);
      } catch (SocketTimeoutException e) {
        socket.shutdownOutput();
        socket.setSoTimeout(HANG_MILLIS);
        socket.getInputStream().transferTo(answer);
      }
      return answer.toString(ISO_8859_1);
    }
  }

  private static byte[] damaged(Random random) {
    byte[] request = SEEDS.get(random.nextInt(SEEDS.size()));
    int times = 1 + random.nextInt(4);
    for (int i = 0; i < times; i++) request = damaged(request, random);
    return request;
  }

  private static byte[] damaged(byte[] request, Random random) {
    if (request.length == 0) return request;
    int at = random.nextInt(request.length);
    int end = Math.min(request.length, at + 1 + random.nextInt(8));
    byte[] before = Arrays.copyOf(request, at);
    byte[] range = Arrays.copyOfRange(request, at, end);
    byte[] after = Arrays.copyOfRange(request, end, request.length);
    byte[] word = WORDS.get(random.nextInt(WORDS.size())).getBytes(ISO_8859_1);
    return switch (random.nextInt(8)) {
      case 0 -> joined(before, after);
      case 1 -> joined(before, range, range, after);
      case 2 -> joined(before, word, range, after);
      case 3 -> joined(before, word, after);
      case 4 -> flipped(request, at, random.nextInt(8));
      case 5 -> joined(before, new byte[] {(byte) random.nextInt(256)}, range, after);
      case 6 -> before;
      default -> joined(before, tail(random), after);
    };
  }

  private static byte[] flipped(byte[] request, int at, int bit) {
    byte[] other = request.clone();
    other[at] = (byte) (other[at] ^ 1 << bit);
    return other;
  }

  /** Replaces the end by that of another request. */
  private static byte[] tail(Random random) {
    byte[] other = SEEDS.get(random.nextInt(SEEDS.size()));
    return Arrays.copyOfRange(other, random.nextInt(other.length), other.length);
  }
}
