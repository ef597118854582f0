package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static dev.kermes.http.StandardHttpResponses.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and their bodies, the life of connections, limits. */
@Timeout(120)
class RequestTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final HttpServer server = new HttpServer(0);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void request_hasQueryHeadersAndCookies() throws IOException {
    server.get(
        "/a",
        r ->
            r.respond(
                ok(
                    r.query("q")
                        + r.queryAll().get("n")
                        + r.query("x")
                        + r.header("X-A")
                        + r.headers("x-a")
                        + r.cookie("c")
                        + r.cookies()
                        + r.protocol())));
    server.start();
    String text =
        Wire.get(server, "/a?q=a+b%26&n=1&n=2&flag", "x-a: 1", "X-A: 2", "Cookie: c=1; d=2; c=3")
            .text();
    assertThat(text).isEqualTo("a b&[1, 2]null1[1, 2]1{c=1, d=2}HTTP/1.1");
  }

  @Test
  void handlerThrows_500WithoutDetails_connectionContinues() throws IOException {
    server.get(
        "/bad",
        r -> {
          throw new Exception("secret");
        });
    server.get(
        "/teapot",
        r -> {
          throw new HttpException(418, "short and \"stout\"");
        });
    server.start();
    try (Wire wire = new Wire(server)) {
      Wire.Reply bad = wire.send("GET /bad HTTP/1.1\r\nHost: x\r\n\r\n").reply();
      assertThat(bad.status()).isEqualTo(500);
      assertThat(bad.text()).isEqualTo("{\"title\":\"Internal Server Error\",\"status\":500}");
      Wire.Reply teapot = wire.send("GET /teapot HTTP/1.1\r\nHost: x\r\n\r\n").reply();
      assertThat(teapot.text()).endsWith("\"status\":418,\"detail\":\"short and \\\"stout\\\"\"}");
    }
  }

  @Test
  void respond_twice_throws() throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    server.get(
        "/",
        r -> {
          r.respond(ok("first"));
          assertThatThrownBy(() -> r.respond(ok("second")))
              .isInstanceOf(IllegalStateException.class);
          refused.countDown();
        });
    server.start();
    assertThat(Wire.get(server, "/").text()).isEqualTo("first");
    refused.await();
  }

  @Test
  void with_valueWithLineBreak_throws() {
    assertThatThrownBy(() -> ok("").with("a", "b\r\nc: d"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ok("").with("a b", "c")).isInstanceOf(IllegalArgumentException.class);
  }

  // ---- bodies

  @Test
  void body_chunked_isRead() throws IOException {
    server.post("/", r -> r.respond(ok(r.text())));
    server.start();
    String head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertThat(Wire.ask(server, head + "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nT: x\r\n\r\n").text())
        .isEqualTo("abcde");
  }

  @Test
  void body_tooLong_isAnswered413() throws IOException {
    server.limits(HttpLimits.DEFAULT.withBodyMax(10));
    server.post("/thread", r -> r.respond(ok(r.text())));
    server.post("/loop", HttpHandler.onLoop(r -> r.respond(ok(r.text()))));
    server.start();
    for (String path : new String[] {"/thread", "/loop"}) {
      String head = "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: ";
      assertThat(Wire.ask(server, head + "10\r\n\r\n0123456789").text()).isEqualTo("0123456789");
      assertThat(Wire.ask(server, head + "11\r\n\r\n0123456789a").status()).isEqualTo(413);
    }
  }

  @Test
  void body_tooLong_clientThatSendsAllOfItGetsTheAnswer() throws IOException {
    server.limits(HttpLimits.DEFAULT.withBodyMax(10));
    server.post("/", r -> r.respond(ok(r.text())));
    server.start();
    byte[] body = new byte[20_000_000];
    try (Wire wire = new Wire(server)) {
      wire.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length + "\r\n\r\n");
      assertThat(wire.send(body).reply().status()).isEqualTo(413);
    }
  }

  private static final String CHUNKED =
      " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** Handlers that read a stream to its end, do not read it, or have begun to answer. */
  private void serveUploads(HttpLimits limits, BlockingQueue<Object> ends) {
    server.limits(limits);
    server.post(
        "/read",
        r -> {
          try {
            r.respond(ok(r.stream().readAllBytes().length + ""));
          } catch (IOException e) {
            ends.add(e);
            throw e;
          }
        });
    server.post("/loop", HttpHandler.onLoop(r -> r.respond(ok(r.bytes().length + ""))));
    server.post("/bytes", r -> r.respond(ok(r.bytes().length + "")));
    server.post("/echo", r -> r.respond(Response.of(200).body(out -> r.stream().transferTo(out))));
    server.start();
  }

  @Test
  void upload_tooLong_isAnswered413AndItsHandlerEnds() throws Exception {
    BlockingQueue<Object> ends = new LinkedBlockingQueue<>();
    serveUploads(HttpLimits.DEFAULT.withUploadMax(10), ends);
    for (String path : List.of("/read", "/loop", "/bytes")) {
      String told = "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: ";
      assertThat(Wire.ask(server, told + "10\r\n\r\n0123456789").text()).isEqualTo("10");
      Wire.Reply early = Wire.ask(server, told + "11\r\nExpect: 100-continue\r\n\r\n");
      assertThat(early.status()).isEqualTo(413);
      String chunked = "POST " + path + CHUNKED;
      assertThat(Wire.ask(server, chunked + "a\r\n0123456789\r\n0\r\n\r\n").text()).isEqualTo("10");
      assertThat(Wire.ask(server, chunked + "b\r\n0123456789a\r\n0\r\n\r\n").status())
          .isEqualTo(413);
      try (Wire wire = new Wire(server)) { // endless chunks
        wire.send(chunked);
        for (int i = 0; i < 11; i++) wire.send("1\r\nx\r\n");
        Wire.Reply reply = wire.reply();
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.header("connection")).isEqualTo("close");
        assertThat(wire.isClosed()).isTrue();
      }
    }
    assertThat(ends.poll(20, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
  }

  @Test
  void upload_tooLongAfterTheAnswerHasBegun_isCut() throws Exception {
    serveUploads(HttpLimits.DEFAULT.withUploadMax(10), new LinkedBlockingQueue<>());
    try (Wire wire = new Wire(server)) {
      wire.send("POST /echo" + CHUNKED + "5\r\n01234\r\n");
      while (!wire.hasInput()) Thread.onSpinWait();
      wire.send("6\r\n56789a\r\n0\r\n\r\n");
      assertThatThrownBy(wire::reply).isInstanceOf(IOException.class);
    }
  }

  /**
   * The loop reads the rest of a body that is too long while the answer waits for the loop: it
   * finds both after it has been blocked.
   */
  @Test
  void upload_tooLongWhileTheAnswerIsOnItsWay_isAnswered() throws Exception {
    CountDownLatch isRunning = new CountDownLatch(1);
    CountDownLatch mayAnswer = new CountDownLatch(1);
    CountDownLatch hasAnswered = new CountDownLatch(1);
    BlockingQueue<CountDownLatch> blocked = new LinkedBlockingQueue<>();
    server.loops(1).limits(HttpLimits.DEFAULT.withUploadMax(10));
    server.post(
        "/early",
        r -> {
          isRunning.countDown();
          mayAnswer.await();
          r.respond(ok("early"));
          hasAnswered.countDown();
        });
    server.get(
        "/block",
        HttpHandler.onLoop(r -> {
          CountDownLatch end = new CountDownLatch(1);
          blocked.add(end);
          end.await();
          r.respond(ok(""));
        }));
    server.start();
    try (Wire early = new Wire(server);
        Wire first = new Wire(server);
        Wire second = new Wire(server)) {
      early.send("POST /early" + CHUNKED + "5\r\n01234\r\n");
      isRunning.await();
      String block = "GET /block HTTP/1.1\r\nHost: x\r\n\r\n";
      first.send(block);
      CountDownLatch one = blocked.take();
      second.send(block); // the loop reads this and the rest of the body in one turn
      early.send("6\r\n56789a\r\n");
      one.countDown();
      CountDownLatch two = blocked.take();
      mayAnswer.countDown();
      hasAnswered.await();
      two.countDown();
      Wire.Reply reply = early.reply();
      assertThat(reply.text()).isEqualTo("early");
      assertThat(reply.header("connection")).isEqualTo("close");
    }
  }

  @Test
  void bodies_ofManyClients_shareABoundAndReleaseIt() throws Exception {
    server.loops(1); // so that requests are handled one after the other
    serveUploads(HttpLimits.DEFAULT.withBodiesMax(12_000), new LinkedBlockingQueue<>());
    for (String path : List.of("/loop", "/bytes")) {
      String head = "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 8001\r\n\r\n";
      for (int round = 0;
          round < 3;
          round++) { // memory not released in one round would fail the next
        try (Wire first = new Wire(server);
            Wire second = new Wire(server);
            Wire gone = new Wire(server)) {
          gone.send(head.replace("8001", "3001")).send(new byte[1_000]).close();
          first.send(head).send(new byte[8_001]);
          assertThat(first.reply().text()).isEqualTo("8001");
          first.send(head).send(new byte[8_000]);
          second.send(head).send(new byte[8_000]);
          while (!first.hasInput() && !second.hasInput()) Thread.onSpinWait();
          List<Integer> statuses = new ArrayList<>();
          for (Wire each : List.of(first, second)) {
            statuses.add(each.send("x").reply().status());
          }
          assertThat(statuses).containsExactlyInAnyOrder(200, 503);
        }
      }
    }
  }

  /**
   * The server holds only a small part of the body in memory at a time, whatever its length: 64 MB,
   * or the number in the system property {@code kermes.upload.megabytes}.
   */
  @Test
  void stream_longBody_isReadNoFasterThanTheHandlerReads() throws Exception {
    AtomicLong length = new AtomicLong();
    CountDownLatch gate = new CountDownLatch(1);
    server.post(
        "/",
        r -> {
          gate.await();
          try (InputStream in = r.stream()) {
            byte[] piece = new byte[64 * 1024];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) length.addAndGet(n);
          }
          r.respond(ok("" + length));
        });
    server.start();
    int pieces = Integer.getInteger("kermes.upload.megabytes", 64);
    byte[] piece = new byte[1 << 20];
    try (Wire wire = new Wire(server)) {
      wire.send(
          "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: "
              + (long) pieces * piece.length
              + "\r\n\r\n");
      Thread sender =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (int i = 0; i < pieces; i++) wire.send(piece);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      // It is stuck behind the handler that does not read: sockets hold less than this.
      sender.join(300);
      assertThat(sender.isAlive()).isTrue();
      gate.countDown();
      sender.join();
      assertThat(wire.reply().text()).isEqualTo("" + (long) pieces * piece.length);
    }
  }

  @Test
  void expectContinue_isAnsweredWhenTheHandlerReads() throws IOException {
    server.post("/read", r -> r.respond(ok(r.text())));
    server.post("/refuse", r -> r.respond(Response.of(403)));
    server.start();
    String head = " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
    try (Wire wire = new Wire(server)) {
      assertThat(wire.send("POST /read" + head).reply().status()).isEqualTo(100);
      assertThat(wire.send("ok").reply().text()).isEqualTo("ok");
    }
    try (Wire wire = new Wire(server)) {
      Wire.Reply reply = wire.send("POST /refuse" + head).reply();
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.header("connection")).isEqualTo("close");
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void unreadBody_connectionContinues() throws IOException {
    server.post("/", r -> r.respond(ok("x")));
    server.start();
    try (Wire wire = new Wire(server)) {
      for (int i = 0; i < 3; i++) {
        wire.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde");
        assertThat(wire.reply().text()).isEqualTo("x");
      }
    }
  }

  @Test
  void response_stream_isSentInChunks() throws IOException {
    byte[] bytes = "0123456789".repeat(20_000).getBytes(StandardCharsets.UTF_8);
    server.get("/", r -> r.respond(stream("text/plain", out -> out.write(bytes))));
    server.start();
    try (Wire wire = new Wire(server)) {
      for (int i = 0; i < 2; i++) {
        Wire.Reply reply = wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").reply();
        assertThat(reply.header("transfer-encoding")).isEqualTo("chunked");
        assertThat(reply.bytes()).isEqualTo(bytes);
      }
    }
    Wire.Reply old = Wire.ask(server, "GET / HTTP/1.0\r\n\r\n");
    assertThat(old.header("transfer-encoding")).isEmpty();
    assertThat(old.bytes()).isEqualTo(bytes);
  }

  @Test
  void response_streamFails_connectionIsCut() throws IOException {
    server.get(
        "/",
        r ->
            r.respond(
                stream(
                    "text/plain",
                    out -> {
                      out.write(1);
                      throw new IOException("no more");
                    })));
    server.start();
    assertThatThrownBy(() -> Wire.get(server, "/")).isInstanceOf(IOException.class);
  }

  // ---- connections

  @Test
  void http10_closesWithoutKeepAlive() throws IOException {
    server.get("/", r -> r.respond(ok("x"))).start();
    try (Wire wire = new Wire(server)) {
      assertThat(wire.send("GET / HTTP/1.0\r\n\r\n").reply().header("connection"))
          .isEqualTo("close");
      assertThat(wire.isClosed()).isTrue();
    }
    try (Wire wire = new Wire(server)) {
      for (int i = 0; i < 2; i++) {
        wire.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        assertThat(wire.reply().header("connection")).isEqualTo("keep-alive");
      }
    }
  }

  @Test
  void requestWithConnectionClose_closes() throws IOException {
    server.get("/", r -> r.respond(ok("x"))).start();
    try (Wire wire = new Wire(server)) {
      Wire.Reply reply =
          wire.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").reply();
      assertThat(reply.header("connection")).isEqualTo("close");
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void optionsAndUnknownMethods_listAllowedMethods() throws IOException {
    server.get("/a", r -> r.respond(ok("x"))).start();
    Wire.Reply reply = Wire.ask(server, "OPTIONS /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.header("allow")).isEqualTo("GET, HEAD, OPTIONS");
    assertThat(Wire.ask(server, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").status()).isEqualTo(204);
    assertThat(Wire.ask(server, "BREW /a HTTP/1.1\r\nHost: x\r\n\r\n").status()).isEqualTo(405);
    assertThat(Wire.ask(server, "BREW /b HTTP/1.1\r\nHost: x\r\n\r\n").status()).isEqualTo(404);
  }

  // ---- slow and silent clients

  @Test
  void silentClient_isClosed() throws IOException {
    server.limits(HttpLimits.DEFAULT.withTimes(SHORT, LONG, LONG, LONG, LONG)).start();
    try (Wire wire = new Wire(server)) {
      assertThat(wire.reply().status()).isEqualTo(408);
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void slowHead_isAnswered408() throws IOException {
    server.limits(HttpLimits.DEFAULT.withTimes(SHORT, LONG, LONG, LONG, LONG)).start();
    try (Wire wire = new Wire(server)) {
      assertThat(wire.send("GET / HTTP/1.1\r\nHo").reply().status()).isEqualTo(408);
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void slowBody_isAnswered400() throws IOException {
    server.limits(HttpLimits.DEFAULT.withTimes(LONG, SHORT, LONG, LONG, LONG));
    server.post("/", r -> r.respond(ok(r.text()))).start();
    try (Wire wire = new Wire(server)) {
      wire.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
      assertThat(wire.reply().status()).isEqualTo(400);
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void idleConnection_isClosed() throws IOException {
    server.limits(HttpLimits.DEFAULT.withTimes(LONG, LONG, SHORT, LONG, LONG));
    server.get("/", r -> r.respond(ok("x"))).start();
    try (Wire wire = new Wire(server)) {
      assertThat(wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").reply().text()).isEqualTo("x");
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void handlerThatNeverAnswers_isAnswered503() throws IOException {
    server.limits(HttpLimits.DEFAULT.withTimes(LONG, LONG, LONG, LONG, SHORT));
    server.get("/", r -> {}).start();
    assertThat(Wire.get(server, "/").status()).isEqualTo(503);
  }

  @Test
  void tooManyConnections_areClosed() throws IOException {
    server.limits(HttpLimits.DEFAULT.withConnectionsMax(1));
    server.get("/", r -> r.respond(ok("x"))).start();
    String get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    try (Wire first = new Wire(server)) {
      assertThat(first.send(get).reply().text()).isEqualTo("x");
      try (Wire second = new Wire(server)) {
        assertThat(second.isClosed()).isTrue();
      }
      assertThat(first.send(get).reply().text()).isEqualTo("x");
    }
  }

  @Test
  void stop_letsRequestsEnd() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    server.get(
        "/",
        r -> {
          inside.countDown();
          gate.await();
          r.respond(ok("done"));
        });
    server.start();
    try (Wire idle = new Wire(server);
        Wire busy = new Wire(server)) {
      busy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      inside.await();
      int[] left = {-1};
      Thread stopper = Thread.ofPlatform().start(() -> left[0] = server.stop(LONG));
      assertThat(idle.isClosed()).isTrue();
      gate.countDown();
      Wire.Reply reply = busy.reply();
      assertThat(reply.text()).isEqualTo("done");
      assertThat(reply.header("connection")).isEqualTo("close");
      stopper.join();
      assertThat(left[0]).isZero();
    }
  }

  @Test
  void form_nonAsciiCharacters_areKept() throws IOException {
    server.post("/form", r -> r.respond(ok(String.valueOf(r.form())))).start();
    for (String[] pair :
        new String[][] {
          {"a=\u4e2d%20x", "{a=[\u4e2d x]}"},
          {"a=\u4e0a\u4e0d%20", "{a=[\u4e0a\u4e0d ]}"},
          {"a=%E4%B8%AD+\ud83d\ude00%21", "{a=[\u4e2d \ud83d\ude00!]}"},
          {"a=%\uff11\uff12", "{a=[%\uff11\uff12]}"}, // digits, but not ASCII ones
          {"a=%4", "{a=[%4]}"},
        }) {
      byte[] body = pair[0].getBytes(StandardCharsets.UTF_8);
      String head =
          "POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
              + "Content-Length: "
              + body.length
              + "\r\n\r\n";
      try (Wire wire = new Wire(server)) {
        assertThat(wire.send(head).send(body).reply().text()).isEqualTo(pair[1]);
      }
    }
  }

  @Test
  void absoluteTarget_itsAuthorityReplacesHost() throws IOException {
    server.get("/a", r -> r.respond(ok(String.valueOf(r.headers("host"))))).start();
    String reply = Wire.ask(server, "GET http://evil:99/a HTTP/1.1\r\nHost: x\r\n\r\n").text();
    assertThat(reply).isEqualTo("[evil:99]");
    for (String target : List.of("http:///a", "http://u@evil/a")) {
      assertThat(Wire.ask(server, "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").status())
          .isEqualTo(400);
    }
  }

  @Test
  void declaredLengthTooLong_isAnswered413BeforeTheBody() throws IOException {
    server.post("/loop", HttpHandler.onLoop(r -> r.respond(ok(r.text()))));
    server.post("/thread", r -> r.respond(ok(r.text())));
    server.start();
    for (String path : List.of("/loop", "/thread")) {
      String head =
          "POST "
              + path
              + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n";
      assertThat(Wire.ask(server, head).status()).isEqualTo(413);
    }
  }
}
