package dev.kermes.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket.Listener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets; RFC 6455 and RFC 7692. Frames are written literally. */
class WebSocketTest {

  /** The calls of the handler, in order. */
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  private final HttpServer server =
      new HttpServer(0)
          .limits(HttpLimits.DEFAULT.withMessageMax(100_000))
          .webSocket("/echo/{name}", new Echo())
          .start();

  private final class Echo implements WebSocketHandler {
    @Override
    public void onOpen(WebSocket socket) {
      told.add("open " + socket.request().pathParam("name"));
    }

    @Override
    public void onText(WebSocket socket, String text) throws Exception {
      if (text.equals("fail")) throw new IllegalStateException("as the test wants it");
      if (text.equals("close")) socket.close(4001, "wanted");
      socket.send(text);
    }

    @Override
    public void onBinary(WebSocket socket, byte[] bytes) {
      socket.send(bytes);
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
      told.add(("close " + code + " " + reason).strip());
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static final String HANDSHAKE =
      String.join(
          "\r\n",
          "GET /echo/x HTTP/1.1",
          "Host: x",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "");

  private Wire open(String... fields) throws IOException {
    Wire wire = new Wire(server);
    wire.send(HANDSHAKE + String.join("", fields) + "\r\n");
    assertThat(wire.reply(true).status()).isEqualTo(101);
    return wire;
  }

  /** A frame in the form that clients send; the mask is 0, which leaves the content unchanged. */
  private static byte[] frame(int first, byte[] content) {
    ByteBuffer frame = ByteBuffer.allocate(content.length + 14);
    frame.put((byte) first);
    if (content.length < 126) {
      frame.put((byte) (0x80 | content.length));
    } else if (content.length < 65536) {
      frame.put((byte) (0x80 | 126)).putShort((short) content.length);
    } else {
      frame.put((byte) (0x80 | 127)).putLong(content.length);
    }
    frame.putInt(0).put(content);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  private static byte[] text(String text) {
    return frame(0x81, text.getBytes(UTF_8));
  }

  private void assertEcho(Wire wire, String text) throws IOException {
    wire.send(text(text));
    Wire.Frame frame = wire.frame();
    assertThat(frame.first()).isEqualTo(0x81);
    assertThat(new String(frame.content(), UTF_8)).isEqualTo(text);
  }

  private String next() throws InterruptedException {
    return String.valueOf(told.poll(20, TimeUnit.SECONDS));
  }

  // ---- the handshake, 4.2

  @Test
  void handshake_sendsTheAcceptKey() throws IOException {
    try (Wire wire = new Wire(server)) {
      Wire.Reply reply = wire.send(HANDSHAKE + "\r\n").reply(true);
      assertThat(reply.status()).isEqualTo(101);
      assertThat(reply.header("upgrade")).isEqualTo("websocket");
      assertThat(reply.header("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
      assertEcho(wire, "hello");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Upgrade: websocket | | 426",
        "Upgrade: websocket | Upgrade: h3 | 426",
        "Connection: Upgrade | Connection: close | 426",
        "Version: 13 | Version: 8 | 426",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== | | 400",
        "dGhlIHNhbXBsZSBub25jZQ== | dGhlIHNhbXBsZQ== | 400",
        "dGhlIHNhbXBsZSBub25jZQ== | %%% | 400",
        "HTTP/1.1 | HTTP/1.0 | 426",
      })
  void handshake_invalid_isRefused(String old, String other, int status) throws IOException {
    String request = HANDSHAKE.replace(old, other == null ? "X: y" : other);
    Wire.Reply reply = Wire.ask(server, request + "\r\n");
    assertThat(reply.status()).isEqualTo(status);
    if (old.startsWith("Version")) {
      assertThat(reply.header("sec-websocket-version")).isEqualTo("13");
    }
  }

  /** 10.2: a page of another origin must not act for the user. */
  @Test
  void handshake_fromOtherOrigin_isForbidden() throws IOException {
    assertThat(Wire.ask(server, HANDSHAKE + "Origin: https://evil.example\r\n\r\n").status())
        .isEqualTo(403);
    assertThat(Wire.ask(server, HANDSHAKE + "Origin: null\r\n\r\n").status()).isEqualTo(403);
    open("Origin: http://x\r\n").close();
    server.webSocket("/open/{n}", Set.of("https://friend.example"), new Echo());
    String friend = HANDSHAKE.replace("/echo/", "/open/") + "Origin: https://Friend.example\r\n";
    try (Wire wire = new Wire(server)) {
      assertThat(wire.send(friend + "\r\n").reply(true).status()).isEqualTo(101);
    }
  }

  // ---- messages, 5

  private record Speaker(List<String> subprotocols) implements WebSocketHandler {
    @Override
    public void onOpen(WebSocket socket) {
      socket.send("speaks " + socket.subprotocol());
    }

    @Override
    public void onText(WebSocket socket, String text) {}
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "'' | none",
        "Sec-WebSocket-Protocol: chat | chat",
        "Sec-WebSocket-Protocol: other, chat ,best | best",
        "Sec-WebSocket-Protocol: other;Sec-WebSocket-Protocol: chat | chat",
        "Sec-WebSocket-Protocol: CHAT, chatty | none",
      })
  void subprotocol_isTheHandlersFirstOneOffered(String fields, String agreed) throws IOException {
    server.webSocket("/speaker", new Speaker(List.of("best", "chat")));
    String lines = fields.isEmpty() ? "" : fields.replace(";", "\r\n") + "\r\n";
    try (Wire wire = new Wire(server)) {
      wire.send(HANDSHAKE.replace("/echo/x", "/speaker") + lines + "\r\n");
      Wire.Reply reply = wire.reply(true);
      assertThat(reply.status()).isEqualTo(101);
      assertThat(reply.header("sec-websocket-protocol")).isEqualTo(agreed == null ? "" : agreed);
      assertThat(new String(wire.frame().content(), UTF_8)).isEqualTo("speaks " + agreed);
    }
  }

  @Test
  void subprotocol_notAToken_throws() {
    Speaker speaker = new Speaker(List.of("a b"));
    assertThatThrownBy(() -> server.webSocket("/speaker", speaker))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a b");
  }

  @Test
  void messages_ofAllLengths_areEchoed() throws IOException {
    try (Wire wire = open()) {
      for (int length : new int[] {0, 1, 125, 126, 127, 65535, 65536, 100_000}) {
        assertEcho(wire, "x".repeat(length));
      }
    }
  }

  @Test
  void fragments_withControlFramesBetween_areJoined() throws IOException {
    try (Wire wire = open()) {
      byte[] umlaut = "\u00fc".getBytes(UTF_8);
      wire.send(frame(0x01, Arrays.copyOf(umlaut, 1)));
      wire.send(frame(0x89, "ping".getBytes(UTF_8)));
      wire.send(frame(0x80, Arrays.copyOfRange(umlaut, 1, 2)));
      Wire.Frame pong = wire.frame();
      assertThat(pong.first()).isEqualTo(0x8a);
      assertThat(new String(pong.content(), UTF_8)).isEqualTo("ping");
      assertThat(new String(wire.frame().content(), UTF_8)).isEqualTo("\u00fc");
    }
  }

  @Test
  void binary_isEchoed() throws IOException {
    try (Wire wire = open()) {
      wire.send(frame(0x82, new byte[] {0, -1, 7}));
      Wire.Frame frame = wire.frame();
      assertThat(frame.first()).isEqualTo(0x82);
      assertThat(frame.content()).containsExactly(0, -1, 7);
    }
  }

  @Test
  void frames_byteByByte_areRead() throws IOException {
    try (Wire wire = open()) {
      for (byte b : text("slow")) wire.send(new byte[] {b});
      assertThat(new String(wire.frame().content(), UTF_8)).isEqualTo("slow");
    }
  }

  // ---- breaches of the protocol: a close frame with the code of 7.4.1, then the end

  private void assertClosed(int code, byte[] frame, String... fields) throws Exception {
    try (Wire wire = open(fields)) {
      assertThat(next()).isEqualTo("open x");
      wire.send(frame);
      Wire.Frame close = wire.frame();
      assertThat(close.first()).isEqualTo(0x88);
      assertThat(ByteBuffer.wrap(close.content()).getShort()).isEqualTo((short) code);
      assertThat(wire.isClosed()).isTrue();
      assertThat(next()).startsWith("close " + code);
    }
  }

  @Test
  void unmaskedFrame_closesWith1002() throws Exception {
    assertClosed(1002, new byte[] {(byte) 0x81, 1, 'x'});
  }

  @Test
  void reservedBit_closesWith1002() throws Exception {
    assertClosed(1002, frame(0xc1, new byte[] {'x'}));
  }

  @Test
  void unknownOpcode_closesWith1002() throws Exception {
    assertClosed(1002, frame(0x83, new byte[] {'x'}));
  }

  @Test
  void continuationWithoutStart_closesWith1002() throws Exception {
    assertClosed(1002, frame(0x80, new byte[] {'x'}));
  }

  @Test
  void fragmentedControlFrame_closesWith1002() throws Exception {
    assertClosed(1002, frame(0x09, new byte[] {'x'}));
  }

  @Test
  void longControlFrame_closesWith1002() throws Exception {
    assertClosed(1002, frame(0x89, new byte[126]));
  }

  @Test
  void invalidCloseCode_closesWith1002() throws Exception {
    assertClosed(1002, frame(0x88, new byte[] {3, (byte) 0xed})); // 1005
  }

  @Test
  void invalidUtf8_closesWith1007() throws Exception {
    assertClosed(1007, frame(0x81, new byte[] {(byte) 0xc3, '('}));
  }

  @Test
  void messageTooLong_closesWith1009() throws Exception {
    assertClosed(1009, frame(0x81, new byte[100_001]));
  }

  @Test
  void fragmentsTooLongTogether_closeWith1009() throws Exception {
    byte[] first = frame(0x01, new byte[60_000]);
    byte[] second = frame(0x80, new byte[60_000]);
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertClosed(1009, both);
  }

  /** RFC 7692: a small message that expands to a large one. */
  @Test
  void compressionBomb_closesWith1009() throws Exception {
    Deflater deflater = new Deflater(9, true);
    deflater.setInput(new byte[10 << 20]);
    byte[] bomb = new byte[99_000];
    int length = deflater.deflate(bomb, 0, bomb.length, Deflater.SYNC_FLUSH);
    deflater.end();
    assertThat(length).isLessThan(99_000);
    byte[] frame = frame(0xc1, Arrays.copyOf(bomb, length - 4));
    assertClosed(1009, frame, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
  }

  // ---- the end, 7

  @Test
  void close_isAnsweredWithTheSameCode() throws Exception {
    try (Wire wire = open()) {
      assertThat(next()).isEqualTo("open x");
      wire.send(frame(0x88, new byte[] {3, (byte) 0xe8, 'b', 'y', 'e'}));
      assertThat(wire.frame().content()).startsWith(3, 0xe8);
      assertThat(wire.isClosed()).isTrue();
      assertThat(next()).isEqualTo("close 1000 bye");
    }
  }

  @Test
  void connectionLost_reports1006() throws Exception {
    open().close();
    assertThat(next()).isEqualTo("open x");
    assertThat(next()).isEqualTo("close 1006");
  }

  @Test
  void handlerCloses_sendsItsCode() throws Exception {
    try (Wire wire = open()) {
      wire.send(text("close"));
      assertThat(wire.frame().content()).startsWith(4001 >> 8, 4001 & 0xff);
    }
    assertThat(next()).isEqualTo("open x");
    assertThat(next()).isEqualTo("close 4001 wanted");
  }

  @Test
  void handlerThrows_closesWith1011() throws Exception {
    try (Wire wire = open()) {
      wire.send(text("fail"));
      assertThat(wire.frame().content()).startsWith(1011 >> 8, 1011 & 0xff);
    }
  }

  @Test
  void stop_closesWith1001() throws Exception {
    try (Wire wire = open()) {
      CompletableFuture<Integer> left =
          CompletableFuture.supplyAsync(() -> server.stop(Duration.ofSeconds(20)));
      assertThat(wire.frame().content()).startsWith(1001 >> 8, 1001 & 0xff);
      wire.send(frame(0x88, new byte[] {3, (byte) 0xe9}));
      assertThat(left.join()).isZero();
    }
  }

  /** The server pings a silent client, and closes the socket without an answer. */
  @Test
  void silentClient_isPingedThenClosed() throws Exception {
    Duration brief = Duration.ofMillis(300);
    HttpLimits limits = HttpLimits.DEFAULT.withTimes(brief, brief, brief, brief, brief);
    try (HttpServer strict = new HttpServer(0).limits(limits)) {
      strict.webSocket("/echo/{name}", new Echo()).start();
      try (Wire wire = new Wire(strict)) {
        wire.send(HANDSHAKE + "\r\n").reply(true);
        assertThat(wire.frame().first()).isEqualTo(0x89);
        assertThat(wire.isClosed()).isTrue();
      }
    }
  }

  // ---- back-pressure

  @Test
  void slowHandler_slowsTheClient_andLosesNothing() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    server.webSocket(
        "/slow",
        (socket, text) -> {
          goOn.await();
          if (text.startsWith("last")) socket.send("all");
        });
    try (Wire wire = new Wire(server)) {
      wire.send(HANDSHAKE.replace("/echo/x", "/slow") + "\r\n").reply(true);
      Thread writer =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  for (int i = 0; i < 400; i++) wire.send(text("x".repeat(90_000)));
                  wire.send(text("last"));
                } catch (IOException e) {
                  told.add("failed " + e);
                }
              });
      // 36 MB exceed all buffers between this client and the handler.
      assertThat(writer.join(Duration.ofMillis(200))).isFalse();
      goOn.countDown();
      assertThat(new String(wire.frame().content(), UTF_8)).isEqualTo("all");
      assertThat(told).isEmpty();
    }
  }

  @Test
  void clientThatDoesNotReadTheReplies_isNotReadEither_andGetsThemAll() throws Exception {
    int messages = 600;
    try (Wire wire = open()) {
      byte[] message = text("x".repeat(90_000));
      AtomicInteger sent = Wire.sendUntilStalled(messages, i -> wire.send(message));
      assertThat(sent).hasValueLessThan(messages); // 54 MB exceed the buffers of sockets
      for (int i = 0; i < messages; i++) assertThat(wire.frame().content()).hasSize(90_000);
      assertThat(told).containsExactly("open x");
    }
  }

  /** Opens a WebSocket over {@code wire}, and returns the server's side of it. */
  private WebSocket pushing(Wire wire) throws Exception {
    BlockingQueue<WebSocket> sockets = new LinkedBlockingQueue<>();
    server.webSocket("/push", (socket, text) -> sockets.add(socket));
    wire.send(HANDSHAKE.replace("/echo/x", "/push") + "\r\n").reply(true);
    wire.send(text("go"));
    return sockets.take();
  }

  @Test
  void send_ofEmptyMessages_toClientThatReadsNothing_failsEventually() throws Exception {
    try (Wire wire = new Wire(server)) {
      WebSocket socket = pushing(wire);
      CompletableFuture<Void> sent = socket.send("");
      while (!sent.isCompletedExceptionally()) sent = socket.send("");
      CompletableFuture<Void> last = sent;
      assertThatThrownBy(last::get).hasMessageContaining("client too slow");
    }
  }

  @Test
  void send_toClientThatReadsNothing_failsEventually() throws Exception {
    try (Wire wire = new Wire(server)) {
      WebSocket socket = pushing(wire);
      byte[] piece = new byte[50_000];
      CompletableFuture<Void> sent = socket.send(piece);
      for (int i = 0; i < 10_000 && !sent.isCompletedExceptionally(); i++)
        sent = socket.send(piece);
      CompletableFuture<Void> last = sent;
      assertThatThrownBy(last::get)
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("client too slow");
      assertThat(socket.isOpen()).isTrue();
    }
  }

  // ---- another implementation, with and without compression

  @Test
  void jdkClient_textBinaryPingAndClose_work() throws Exception {
    CompletableFuture<String> text = new CompletableFuture<>();
    CompletableFuture<Integer> pong = new CompletableFuture<>();
    Listener listener =
        new Listener() {
          @Override
          public CompletionStage<?> onText(
              java.net.http.WebSocket socket, CharSequence data, boolean isLast) {
            text.complete(data.toString());
            return Listener.super.onText(socket, data, isLast);
          }

          @Override
          public CompletionStage<?> onPong(java.net.http.WebSocket socket, ByteBuffer message) {
            pong.complete(message.remaining());
            return Listener.super.onPong(socket, message);
          }
        };
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create(server.url().replace("http", "ws") + "/echo/jdk");
      java.net.http.WebSocket socket =
          client.newWebSocketBuilder().buildAsync(uri, listener).join();
      socket.sendText("hello", true).join();
      assertThat(text.get(20, TimeUnit.SECONDS)).isEqualTo("hello");
      socket.sendPing(ByteBuffer.allocate(3)).join();
      assertThat(pong.get(20, TimeUnit.SECONDS)).isEqualTo(3);
      socket.sendClose(1000, "done").join();
      assertThat(next()).isEqualTo("open jdk");
      assertThat(next()).isEqualTo("close 1000 done");
    }
  }

  @Test
  void deflate_worksInBothDirections() throws Exception {
    try (Wire wire = new Wire(server)) {
      String fields = "Sec-WebSocket-Extensions: x-unknown, permessage-deflate\r\n\r\n";
      Wire.Reply reply = wire.send(HANDSHAKE + fields).reply(true);
      assertThat(reply.header("sec-websocket-extensions")).startsWith("permessage-deflate");
      // RFC 7692, 7.2.3.1: "Hello".
      byte[] hello = {(byte) 0xf2, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00};
      wire.send(frame(0xc1, hello));
      Wire.Frame echo = wire.frame();
      assertThat(echo.first()).isEqualTo(0xc1);
      assertThat(echo.content()).isEqualTo(hello);
    }
  }

  private String agreedOn(String offer) throws IOException {
    try (Wire wire = new Wire(server)) {
      Wire.Reply reply =
          wire.send(HANDSHAKE + "Sec-WebSocket-Extensions: " + offer + "\r\n\r\n").reply(true);
      assertThat(reply.status()).isEqualTo(101);
      assertEcho(wire, "hi");
      return reply.header("sec-websocket-extensions");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate; server_max_window_bits=9",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=x",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=010",
        "permessage-deflate; client_no_context_takeover=1",
        "permessage-deflate; unknown",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate=1",
        ";,;",
      })
  void deflate_unsupportedOffer_isDeclined(String offer) throws IOException {
    assertThat(agreedOn(offer)).isEmpty();
  }

  @Test
  void deflate_supportedOffers_areAccepted() throws IOException {
    try (Wire wire = new Wire(server)) {
      String offers =
          "permessage-deflate; server_max_window_bits=10,"
              + " permessage-deflate; client_max_window_bits; server_no_context_takeover,"
              + " permessage-deflate";
      wire.send(HANDSHAKE + "Sec-WebSocket-Extensions: " + offers + "\r\n\r\n");
      assertThat(wire.reply(true).header("sec-websocket-extensions"))
          .isEqualTo("permessage-deflate; server_no_context_takeover");
      byte[] hello = {(byte) 0xf2, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00};
      for (int i = 0; i < 2; i++) {
        wire.send(frame(0xc1, hello));
        assertThat(wire.frame().content()).isEqualTo(hello); // with context the second is shorter
      }
    }
  }

  @Test
  void deflate_endOfStreamInAMessage_continuesWithAnother() throws IOException {
    // RFC 7692, 7.2.3.4: "Hello" in a block that is the last one of its stream.
    byte[] hello = {(byte) 0xf3, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00, 0x00};
    byte[] usual = {(byte) 0xf2, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00};
    try (Wire wire = new Wire(server)) {
      String offer = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n";
      wire.send(HANDSHAKE + offer + "\r\n").reply(true);
      for (int i = 0; i < 3; i++) {
        wire.send(frame(0xc1, hello));
        assertThat(wire.frame().content()).isEqualTo(usual);
      }
    }
  }

  @Test
  void deflate_messageInFragmentsByteByByte_isRead() throws IOException {
    byte[] hello = {(byte) 0xf2, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00};
    try (Wire wire = new Wire(server)) {
      wire.send(HANDSHAKE + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n").reply(true);
      for (int i = 0; i < hello.length; i++) {
        int first = (i == 0 ? 0x41 : 0) | (i == hello.length - 1 ? 0x80 : 0);
        wire.send(frame(first, new byte[] {hello[i]}));
      }
      assertThat(wire.frame().content()).isEqualTo(hello);
    }
  }

  @Test
  void deflate_reservedBitOnContinuation_closesWith1002() throws Exception {
    byte[] both =
        ByteBuffer.allocate(100)
            .put(frame(0x41, new byte[] {(byte) 0xf2, 0x48, (byte) 0xcd}))
            .put(frame(0xc0, new byte[] {(byte) 0xc9, (byte) 0xc9, 0x07, 0x00}))
            .array();
    assertClosed(1002, Arrays.copyOf(both, 19), "Sec-WebSocket-Extensions: permessage-deflate\r\n");
  }

  @Test
  void deflate_invalidData_closesWith1007() throws Exception {
    byte[] nonsense = frame(0xc1, new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff});
    assertClosed(1007, nonsense, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
  }

  @Test
  void handshake_repeatedField_isAnswered400() throws IOException {
    for (String field :
        List.of("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13")) {
      assertThat(Wire.ask(server, HANDSHAKE + field + "\r\n\r\n").status()).isEqualTo(400);
    }
    String origins = "Origin: http://x\r\nOrigin: http://y\r\n\r\n";
    assertThat(Wire.ask(server, HANDSHAKE + origins).status()).isEqualTo(400);
  }

  /** Pongs must neither accumulate nor count as reading by the client. */
  @Test
  void pings_ofClientThatDoesNotRead_endTheConnection() throws IOException {
    Duration brief = Duration.ofMillis(500);
    Duration ample = Duration.ofMinutes(1);
    HttpLimits limits = HttpLimits.DEFAULT.withTimes(ample, ample, ample, brief, ample);
    try (HttpServer other =
            new HttpServer(0).limits(limits).webSocket("/echo/{name}", new Echo()).start();
        Wire wire = new Wire(other)) {
      wire.send(HANDSHAKE + "\r\n").reply(true);
      byte[] pings = new byte[1000 * 131];
      for (int i = 0; i < 1000; i++) {
        System.arraycopy(frame(0x89, new byte[125]), 0, pings, i * 131, 131);
      }
      assertThatThrownBy(
              () -> {
                while (true) wire.send(pings);
              })
          .isInstanceOf(IOException.class);
    }
  }
}
