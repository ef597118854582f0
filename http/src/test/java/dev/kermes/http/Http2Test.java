package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static dev.kermes.http.StandardHttpResponses.stream;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HTTP/2 without TLS, frame by frame; RFC 9113 and RFC 7541. */
class Http2Test {

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW = 8;

  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private static final int PROTOCOL_ERROR = 1;
  private static final int REFUSED_STREAM = 7;
  private static final int ENHANCE_YOUR_CALM = 11;

  private record Frame(int type, int flags, int stream, byte[] content) {
    int code() {
      return ByteBuffer.wrap(content, type == GOAWAY ? 4 : 0, 4).getInt();
    }

    boolean isEnd() {
      return (flags & END_STREAM) != 0;
    }
  }

  /** A client that writes given frames. */
  private static final class Peer implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    private Http2Headers head = new DefaultHttp2Headers();

    Peer(HttpServer server) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.setSoTimeout(20_000);
      in = new DataInputStream(socket.getInputStream());
      write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
      frame(SETTINGS, 0, 0, new byte[0]);
    }

    void write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
    }

    Peer frame(int type, int flags, int stream, byte[] content) throws IOException {
      ByteBuffer frame = ByteBuffer.allocate(9 + content.length);
      frame.putInt(content.length << 8 | type).put((byte) flags).putInt(stream).put(content);
      write(frame.array());
      return this;
    }

    /** Encodes fields as literals without indexing; RFC 7541, 6.2.2. */
    Peer headers(int stream, int flags, String... fields) throws IOException {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      for (int i = 0; i < fields.length; i += 2) {
        block.write(0);
        for (String text : new String[] {fields[i], fields[i + 1]}) {
          if (text.length() >= 127) throw new IllegalArgumentException("long: " + text);
          block.write(text.length());
          block.writeBytes(text.getBytes(ISO_8859_1));
        }
      }
      return frame(HEADERS, flags | END_HEADERS, stream, block.toByteArray());
    }

    Peer get(int stream, String path) throws IOException {
      return headers(
          stream,
          END_STREAM,
          ":method",
          "GET",
          ":scheme",
          "http",
          ":path",
          path,
          ":authority",
          "x");
    }

    Peer post(int stream, String path) throws IOException {
      return headers(
          stream, 0, ":method", "POST", ":scheme", "http", ":path", path, ":authority", "x");
    }

    /** Decodes all fields, because later ones may refer to them. */
    Frame next() throws IOException {
      int start = in.readInt();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] content = new byte[start >>> 8];
      in.readFully(content);
      Frame frame = new Frame(start & 0xff, flags, stream, content);
      if (frame.type == HEADERS) {
        try {
          head = decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(content));
        } catch (Http2Exception e) {
          throw new IOException(e);
        }
      }
      return frame;
    }

    /** Reads up to the next frame of a type, and skips the frames before it. */
    Frame next(int type) throws IOException {
      Frame frame = next();
      while (frame.type != type) frame = next();
      return frame;
    }

    Http2Headers headers() throws IOException {
      Frame unused = next(HEADERS);
      return head;
    }

    String status() throws IOException {
      return String.valueOf(headers().status());
    }

    /** Reads the DATA of a stream to its end. */
    String body() throws IOException {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (Frame frame = next(DATA); ; frame = next(DATA)) {
        body.writeBytes(frame.content);
        if (frame.isEnd()) return body.toString(ISO_8859_1);
      }
    }

    boolean isClosed() throws IOException {
      try {
        while (true) next();
      } catch (EOFException | java.net.SocketException e) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private final HttpServer server = new HttpServer(0);

  @BeforeEach
  void start() {
    server.get(
        "/a", request -> request.respond(ok(request.protocol() + " " + request.header("host"))));
    server.post("/echo", request -> request.respond(ok(request.text())));
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void request_isAnswered() throws Exception {
    try (Peer peer = new Peer(server)) {
      Http2Headers head = peer.get(1, "/a").headers();
      assertThat(head.status()).hasToString("200");
      assertThat(head.get("content-length")).hasToString("8");
      assertThat(head.get("date")).isNotNull();
      assertThat(head.contains("connection")).isFalse();
      assertThat(peer.body()).isEqualTo("HTTP/2 x");
    }
  }

  /** The first bytes determine the protocol, however they are split. */
  @Test
  void preface_byteByByte_isRecognised() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      for (byte b : "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1)) {
        socket.getOutputStream().write(b);
      }
      DataInputStream in = new DataInputStream(socket.getInputStream());
      assertThat(in.readInt() & 0xff).isEqualTo(SETTINGS);
    }
    String post = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi";
    try (Wire wire = new Wire(server)) {
      for (byte b : post.getBytes(ISO_8859_1)) wire.send(new byte[] {b});
      assertThat(wire.reply().text()).isEqualTo("hi");
    }
  }

  @Test
  void body_withTrailers_isRead() throws Exception {
    try (Peer peer = new Peer(server)) {
      peer.post(1, "/echo").frame(DATA, 0, 1, "he".getBytes(ISO_8859_1));
      peer.frame(DATA, 0, 1, "llo".getBytes(ISO_8859_1)).headers(1, END_STREAM, "x", "y");
      assertThat(peer.status()).isEqualTo("200");
      assertThat(peer.body()).isEqualTo("hello");
    }
  }

  /** 8.2.3: cookies may be sent as several fields. */
  @Test
  void cookieFields_areJoined() throws Exception {
    server.get(
        "/cookies", request -> request.respond(ok(request.header("cookie") + request.cookie("c"))));
    try (Peer peer = new Peer(server)) {
      peer.headers(
          1,
          END_STREAM,
          ":method",
          "GET",
          ":scheme",
          "http",
          ":path",
          "/cookies",
          ":authority",
          "x",
          "cookie",
          "a=b",
          "cookie",
          "c=d");
      assertThat(peer.body()).isEqualTo("a=b; c=dd");
    }
  }

  // ---- malformed requests: 8.1.1

  private void assertReset(String... fields) throws Exception {
    try (Peer peer = new Peer(server)) {
      peer.headers(1, END_STREAM, fields);
      assertThat(peer.next(RESET).code()).isEqualTo(PROTOCOL_ERROR);
      assertThat(peer.get(3, "/a").status()).isEqualTo("200");
    }
  }

  private void assertRefused(int status, String... fields) throws Exception {
    try (Peer peer = new Peer(server)) {
      peer.headers(1, END_STREAM, fields);
      assertThat(peer.status()).isEqualTo("" + status);
      assertThat(peer.get(3, "/a").status()).isEqualTo("200");
    }
  }

  @Test
  void pseudoFields_missingRepeatedOrUnknown_resetTheStream() throws Exception {
    assertReset(":method", "GET", ":scheme", "http", ":authority", "x");
    assertReset(":scheme", "http", ":path", "/a", ":authority", "x");
    assertReset(":method", "GET", ":path", "/a", ":authority", "x");
    assertReset(":method", "GET", ":method", "GET", ":scheme", "http", ":path", "/a");
    assertReset(":method", "GET", ":scheme", "http", ":path", "/a", ":new", "x");
    assertReset(":method", "GET", ":scheme", "http", "a", "b", ":path", "/a");
    assertReset(":method", "GET", ":scheme", "http", ":path", "");
  }

  /** 8.2.1 and 8.2.2. */
  @Test
  void fields_connectionSpecificOrUpperCase_resetTheStream() throws Exception {
    String[] start = {":method", "GET", ":scheme", "http", ":path", "/a", ":authority", "x"};
    for (String[] field :
        new String[][] {
          {"connection", "close"}, {"transfer-encoding", "chunked"}, {"Upper", "x"},
          {"te", "gzip"}, {"a", "line\r\nbreak: x"}, {"a b", "c"},
        }) {
      String[] fields = Arrays.copyOf(start, 10);
      System.arraycopy(field, 0, fields, 8, 2);
      assertReset(fields);
    }
  }

  @Test
  void invalidRequests_areRefused() throws Exception {
    assertRefused(400, ":method", "G T", ":scheme", "http", ":path", "/a", ":authority", "x");
    assertRefused(400, ":method", "GET", ":scheme", "ftp", ":path", "/a", ":authority", "x");
    assertRefused(400, ":method", "GET", ":scheme", "http", ":path", "a", ":authority", "x");
    assertRefused(400, ":method", "GET", ":scheme", "http", ":path", "/../a", ":authority", "x");
    assertRefused(400, ":method", "GET", ":scheme", "http", ":path", "/a", ":authority", "u@x");
    assertRefused(400, ":method", "GET", ":scheme", "http", ":path", "/a");
  }

  // ---- floods and limits

  @Test
  void headers_tooMany_areAnswered431() throws Exception {
    try (Peer peer = new Peer(server)) {
      String[] fields = new String[8 + 2 * 400];
      String[] start = {":method", "GET", ":scheme", "http", ":path", "/a", ":authority", "x"};
      System.arraycopy(start, 0, fields, 0, 8);
      for (int i = 8; i < fields.length; i += 2) {
        fields[i] = "name" + i;
        fields[i + 1] = "value";
      }
      assertThat(peer.headers(1, END_STREAM, fields).status()).isEqualTo("431");
    }
  }

  /** CVE-2023-44487: requests that are reset at once. */
  @Test
  void resets_tooMany_closeWithEnhanceYourCalm() throws Exception {
    try (Peer peer = new Peer(server)) {
      byte[] cancel = {0, 0, 0, 8};
      try {
        for (int i = 1; i < 1000; i += 2) peer.post(i, "/echo").frame(RESET, 0, i, cancel);
      } catch (java.net.SocketException e) {
        // It closed already.
      }
      assertThat(peer.isClosed()).isTrue();
    }
    assertThat(Wire.get(server, "/a").status()).isEqualTo(200);
  }

  @Test
  void emptyFrames_tooMany_closeWithEnhanceYourCalm() throws Exception {
    try (Peer peer = new Peer(server)) {
      peer.post(1, "/echo");
      for (int i = 0; i < 5; i++) peer.frame(DATA, 0, 1, new byte[0]);
      assertThat(peer.next(GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
    }
  }

  @Test
  void streams_tooMany_areRefused() throws Exception {
    SlowHandler slow = new SlowHandler();
    server.get("/slow", slow);
    try (Peer peer = new Peer(server)) {
      peer.next(SETTINGS);
      for (int i = 0; i <= HttpLimits.DEFAULT.streamsMax(); i++) peer.get(2 * i + 1, "/slow");
      Frame reset = peer.next(RESET);
      assertThat(reset.code()).isEqualTo(REFUSED_STREAM);
      assertThat(reset.stream()).isEqualTo(2 * HttpLimits.DEFAULT.streamsMax() + 1);
      slow.release();
      assertThat(peer.status()).isEqualTo("200");
    }
  }

  /** After a reset, a client that reads late could lose the response. */
  @Test
  void stop_clientStillSending_isNotReset() throws Exception {
    SlowHandler slow = new SlowHandler();
    server.get("/slow", slow);
    CompletableFuture<Integer> left;
    try (Peer peer = new Peer(server)) {
      peer.get(1, "/slow");
      slow.awaitRequest();
      left = CompletableFuture.supplyAsync(() -> server.stop(Duration.ofSeconds(20)));
      peer.next(GOAWAY);
      slow.release();
      assertThat(peer.body()).isEqualTo("slow");
      assertThat(peer.isClosed()).isTrue();
      for (int i = 0; i < 10; i++) {
        peer.frame(PING, 0, 0, new byte[8]);
        Thread.sleep(10);
      }
    }
    assertThat(left.join()).isZero();
  }

  @Test
  void ping_isAnswered() throws Exception {
    try (Peer peer = new Peer(server)) {
      Frame pong = peer.frame(PING, 0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}).next(PING);
      assertThat(pong.flags()).isEqualTo(1);
      assertThat(pong.content()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }
  }

  // ---- flow control: 5.2

  /** A stream without window gets nothing more, and the others continue. */
  @Test
  void response_waitsForTheWindow() throws Exception {
    byte[] large = new byte[1 << 20];
    CountDownLatch written = new CountDownLatch(1);
    server.get(
        "/large",
        request ->
            request.respond(
                stream(
                    "text/plain",
                    out -> {
                      out.write(large);
                      written.countDown();
                    })));
    try (Peer peer = new Peer(server)) {
      peer.get(1, "/large");
      int got = 0;
      while (got < 65_535) got += peer.next(DATA).content().length;
      assertThat(got).isEqualTo(65_535);
      assertThat(written.await(100, TimeUnit.MILLISECONDS)).isFalse();
      peer.frame(WINDOW, 0, 0, new byte[] {0, 0x20, 0, 0}).get(3, "/a");
      assertThat(peer.next(DATA).stream()).isEqualTo(3);
      peer.frame(WINDOW, 0, 1, new byte[] {0, 0x20, 0, 0});
      while (got < large.length) got += peer.next(DATA).content().length;
      assertThat(written.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void response_resetByTheClient_endsItsWriter() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    server.get(
        "/endless",
        request ->
            request.respond(
                stream(
                    "text/plain",
                    out -> {
                      try {
                        while (true) out.write(new byte[1000]);
                      } catch (IOException e) {
                        failed.countDown();
                        throw e;
                      }
                    })));
    try (Peer peer = new Peer(server)) {
      peer.get(1, "/endless").next(DATA);
      peer.frame(RESET, 0, 1, new byte[] {0, 0, 0, 8});
      assertThat(failed.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(peer.get(3, "/a").status()).isEqualTo("200");
    }
  }

  /** 8.1: a response before the end of the request tells the client to stop. */
  @Test
  void upload_notReadByTheHandler_isStopped() throws Exception {
    server.post("/refuse", request -> request.respond(Response.of(403)));
    try (Peer peer = new Peer(server)) {
      assertThat(peer.post(1, "/refuse").status()).isEqualTo("403");
      assertThat(peer.next(RESET).code()).isZero();
    }
  }

  @Test
  void upload_tooLong_isAnswered413AndStopped_otherStreamsContinue() throws Exception {
    try (HttpServer other = new HttpServer(0).limits(HttpLimits.DEFAULT.withUploadMax(10))) {
      other.get("/a", request -> request.respond(ok("a")));
      other.post("/read", r -> r.respond(ok(r.stream().readAllBytes().length + "")));
      other.post("/loop", HttpHandler.onLoop(r -> r.respond(ok(r.bytes().length + ""))));
      other.start();
      try (Peer peer = new Peer(other)) {
        int stream = 1;
        for (String path : new String[] {"/read", "/loop"}) {
          peer.post(stream, path).frame(DATA, END_STREAM, stream, new byte[10]);
          assertThat(peer.body()).isEqualTo("10");
          stream += 2;
          peer.post(stream, path);
          for (int i = 0; i < 11; i++) peer.frame(DATA, 0, stream, new byte[1]);
          assertThat(peer.status()).isEqualTo("413");
          assertThat(peer.body()).contains("413");
          assertThat(peer.next(RESET).code()).isZero();
          stream += 2;
          peer.post(stream, path).frame(DATA, END_STREAM, stream, new byte[11]);
          assertThat(peer.status()).isEqualTo("413");
          assertThat(peer.body()).contains("413");
          stream += 2;
          peer.headers(
              stream,
              0,
              ":method",
              "POST",
              ":scheme",
              "http",
              ":path",
              path,
              ":authority",
              "x",
              "content-length",
              "11");
          assertThat(peer.status()).isEqualTo("413");
          assertThat(peer.body()).contains("413");
          assertThat(peer.next(RESET).code()).isZero();
          stream += 2;
        }
        assertThat(peer.get(stream, "/a").status()).isEqualTo("200");
      }
    }
  }

  @Test
  void stop_sendsGoAway_thenFinishesStreams_thenCloses() throws Exception {
    SlowHandler slow = new SlowHandler();
    server.get("/slow", slow);
    try (Peer peer = new Peer(server)) {
      peer.get(1, "/slow");
      slow.awaitRequest();
      CompletableFuture<Integer> left =
          CompletableFuture.supplyAsync(() -> server.stop(Duration.ofSeconds(20)));
      assertThat(peer.next(GOAWAY).code()).isZero();
      slow.release();
      assertThat(peer.body()).isEqualTo("slow");
      assertThat(peer.isClosed()).isTrue();
      assertThat(left.join()).isZero();
    }
  }

  // ---- times

  private static HttpServer impatient() {
    Duration brief = Duration.ofMillis(300);
    return new HttpServer(0)
        .limits(HttpLimits.DEFAULT.withTimes(brief, brief, brief, brief, brief));
  }

  @Test
  void silentClient_isClosed() throws Exception {
    try (HttpServer strict = impatient().start();
        Peer peer = new Peer(strict)) {
      assertThat(peer.isClosed()).isTrue();
    }
  }

  @Test
  void idleConnection_getsGoAway() throws Exception {
    try (HttpServer strict = impatient()) {
      strict.get("/a", request -> request.respond(ok("a"))).start();
      try (Peer peer = new Peer(strict)) {
        peer.get(1, "/a");
        assertThat(peer.body()).isEqualTo("a");
        assertThat(peer.next(GOAWAY).code()).isZero();
        assertThat(peer.isClosed()).isTrue();
      }
    }
  }

  @Test
  void slowBodyGets400_slowHandler503_otherStreamsContinue() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (HttpServer strict = impatient()) {
      strict.post("/echo", request -> request.respond(ok(request.text())));
      strict.get("/slow", request -> never.await()).start();
      try (Peer peer = new Peer(strict)) {
        assertThat(peer.post(1, "/echo").status()).isEqualTo("400");
        assertThat(peer.get(3, "/slow").status()).isEqualTo("503");
      }
    } finally {
      never.countDown();
    }
  }

  /**
   * Responses without a body are not subject to flow control. The limit of streams would bound them
   * too: it would refuse requests, and Netty ends connections after 200 refusals.
   */
  @Test
  void clientThatReadsNothing_isNotReadEither_andGetsAllResponses() throws Exception {
    int requests = 20_000;
    String filler = "x".repeat(5000); // too long for the table of fields
    try (HttpServer server = new HttpServer(0)) {
      server
          .limits(HttpLimits.DEFAULT.withStreamsMax(requests))
          .get(
              "/",
              request -> request.respond(StandardHttpResponses.noContent().with("filler", filler)))
          .start();
      try (Peer peer = new Peer(server)) {
        String[] fields = {":method", "GET", ":scheme", "http", ":path", "/", ":authority", "x"};
        List<String> all = new ArrayList<>(List.of(fields));
        for (int i = 0; i < 30; i++) all.addAll(List.of("f" + i, "x".repeat(120)));
        String[] long4K = all.toArray(new String[0]);
        AtomicInteger sent =
            Wire.sendUntilStalled(requests, i -> peer.headers(2 * i + 1, END_STREAM, long4K));
        assertThat(sent).hasValueLessThan(requests); // 80 MB exceed the buffers of sockets
        for (int answered = 0; answered < requests; answered++) {
          Frame unused = peer.next(HEADERS);
        }
      }
    }
  }

  /** A client that gives no window keeps its stream only for the write time. */
  @Test
  void stalledResponse_isReset() throws Exception {
    try (HttpServer strict = impatient()) {
      strict.get("/large", request -> request.respond(ok("text/plain", new byte[1 << 20]))).start();
      try (Peer peer = new Peer(strict)) {
        assertThat(peer.get(1, "/large").next(RESET).stream()).isEqualTo(1);
      }
    }
  }
}
