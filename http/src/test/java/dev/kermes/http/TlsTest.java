package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static dev.kermes.http.StandardHttpResponses.stream;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testing.TestIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS with HTTP/1.1 and HTTP/2, tested with the JDK's client. */
class TlsTest {

  @TempDir static Path folder;

  private static TestIdentity identity;
  private static HttpClient client;

  private final HttpServer server = new HttpServer(0);

  @BeforeAll
  static void makeIdentity() throws Exception {
    identity = TestIdentity.ofLocalhost(folder);
    client = HttpClient.newBuilder().sslContext(identity.clientContext()).build();
  }

  @AfterAll
  static void closeClient() {
    client.close();
  }

  @BeforeEach
  void start() throws Exception {
    server.tls(identity.serverContext()).start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpRequest.Builder to(HttpClient.Version version, String path) {
    return HttpRequest.newBuilder(URI.create(server.url() + path)).version(version);
  }

  private static String nameOf(HttpClient.Version version) {
    return version == HttpClient.Version.HTTP_2 ? "HTTP/2" : "HTTP/1.1";
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void request_hasProtocolAndScheme(HttpClient.Version version) throws Exception {
    server.get("/a", request -> request.respond(ok(request.protocol() + " " + request.scheme())));
    HttpResponse<String> response = client.send(to(version, "/a").build(), BodyHandlers.ofString());
    assertThat(response.version()).isEqualTo(version);
    assertThat(response.body()).isEqualTo(nameOf(version) + " https");
    assertThat(response.headers().firstValue("date")).isPresent();
    assertThat(response.headers().firstValue("content-length"))
        .hasValue("" + response.body().length());
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void post_echoesLargeBody(HttpClient.Version version) throws Exception {
    server.post(
        "/echo", request -> request.respond(ok("application/octet-stream", request.bytes())));
    byte[] body = new byte[3 << 20];
    new Random(1).nextBytes(body);
    HttpRequest request =
        to(version, "/echo").POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
    assertThat(client.send(request, BodyHandlers.ofByteArray()).body()).isEqualTo(body);
  }

  /** A file too large for memory: sendfile does not work through TLS. */
  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void files_smallLargeAndRanges_areSent(HttpClient.Version version) throws Exception {
    byte[] large = new byte[1 << 20];
    new Random(2).nextBytes(large);
    Files.write(folder.resolve("large"), large);
    Files.writeString(folder.resolve("small.txt"), "small");
    server.files("/{file}**", folder);
    assertThat(client.send(to(version, "/large").build(), BodyHandlers.ofByteArray()).body())
        .isEqualTo(large);
    HttpResponse<String> small =
        client.send(to(version, "/small.txt").build(), BodyHandlers.ofString());
    assertThat(small.body()).isEqualTo("small");
    String etag = small.headers().firstValue("etag").orElseThrow();
    HttpRequest again = to(version, "/small.txt").header("If-None-Match", etag).build();
    assertThat(client.send(again, BodyHandlers.ofString()).statusCode()).isEqualTo(304);
    HttpRequest part = to(version, "/large").header("Range", "bytes=65000-200000").build();
    HttpResponse<byte[]> range = client.send(part, BodyHandlers.ofByteArray());
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(range.body()).isEqualTo(Arrays.copyOfRange(large, 65000, 200001));
    HttpRequest parts = to(version, "/large").header("Range", "bytes=0-0,70000-70001").build();
    HttpResponse<String> several = client.send(parts, BodyHandlers.ofString());
    assertThat(several.headers().firstValue("content-type").orElseThrow())
        .startsWith("multipart/byteranges");
    assertThat(several.body()).contains("content-range: bytes 70000-70001/1048576");
    HttpRequest head =
        to(version, "/large").method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
    HttpResponse<Void> headOnly = client.send(head, BodyHandlers.discarding());
    assertThat(headOnly.headers().firstValue("content-length")).hasValue("1048576");
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void stream_ofUnknownLength_isSent(HttpClient.Version version) throws Exception {
    server.get(
        "/stream",
        request ->
            request.respond(
                stream(
                    "text/plain",
                    out -> {
                      for (int i = 0; i < 20_000; i++) out.write((i + "\n").getBytes(UTF_8));
                    })));
    HttpResponse<String> response =
        client.send(to(version, "/stream").build(), BodyHandlers.ofString());
    assertThat(response.body()).startsWith("0\n1\n").endsWith("19999\n").hasLineCount(20_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void expectContinue_isAnswered(HttpClient.Version version) throws Exception {
    server.post("/echo", request -> request.respond(ok(request.text())));
    HttpRequest request =
        to(version, "/echo")
            .expectContinue(true)
            .POST(HttpRequest.BodyPublishers.ofString("body"))
            .build();
    assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("body");
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void errors_areTheSameInBothProtocols(HttpClient.Version version) throws Exception {
    server.get(
        "/fails",
        request -> {
          throw new HttpException(410, "gone");
        });
    server.post("/onLoop", HttpHandler.onLoop(request -> request.respond(ok(request.text()))));
    assertThat(status(to(version, "/fails"))).isEqualTo(410);
    assertThat(status(to(version, "/nowhere"))).isEqualTo(404);
    assertThat(status(to(version, "/onLoop"))).isEqualTo(405);
    assertThat(status(to(version, "/%00"))).isEqualTo(400);
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("x");
    assertThat(status(to(version, "/onLoop").POST(body))).isEqualTo(200);
  }

  private static int status(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  @Test
  void http2_manyRequestsOnOneConnection_areAnswered() throws Exception {
    server.get("/{n}", request -> request.respond(ok(request.pathParam("n"))));
    List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      HttpRequest request = to(HttpClient.Version.HTTP_2, "/" + i).build();
      responses.add(client.sendAsync(request, BodyHandlers.ofString()));
    }
    for (int i = 0; i < 90; i++) assertThat(responses.get(i).join().body()).isEqualTo("" + i);
  }

  /** A handler that reads nothing blocks its own stream only. */
  @Test
  void http2_unreadUpload_waitsForItsReader() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    server.post(
        "/slow",
        request -> {
          goOn.await();
          try (InputStream in = request.stream()) {
            request.respond(ok("" + in.transferTo(OutputStream.nullOutputStream())));
          }
        });
    server.get("/quick", request -> request.respond(ok("quick")));
    HttpRequest upload =
        to(HttpClient.Version.HTTP_2, "/slow")
            .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[4 << 20]))
            .build();
    var uploaded = client.sendAsync(upload, BodyHandlers.ofString());
    HttpRequest quick = to(HttpClient.Version.HTTP_2, "/quick").build();
    assertThat(client.send(quick, BodyHandlers.ofString()).body()).isEqualTo("quick");
    assertThat(uploaded).isNotDone();
    goOn.countDown();
    assertThat(uploaded.join().body()).isEqualTo("" + (4 << 20));
  }

  @Test
  void stop_letsHttp2RequestsEnd() throws Exception {
    SlowHandler slow = new SlowHandler();
    server.get("/slow", slow);
    var response =
        client.sendAsync(to(HttpClient.Version.HTTP_2, "/slow").build(), BodyHandlers.ofString());
    slow.awaitRequest();
    CompletableFuture<Integer> left =
        CompletableFuture.supplyAsync(() -> server.stop(Duration.ofSeconds(20)));
    slow.release();
    assertThat(response.join().body()).isEqualTo("slow");
    assertThat(left.join()).isZero();
  }

  @Test
  void webSocket_throughTls_works() throws Exception {
    server.webSocket("/echo", (socket, text) -> socket.send(text));
    CompletableFuture<String> answer = new CompletableFuture<>();
    java.net.http.WebSocket.Listener listener =
        new java.net.http.WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(
              java.net.http.WebSocket socket, CharSequence text, boolean isLast) {
            answer.complete(text.toString());
            return CompletableFuture.completedStage(null);
          }
        };
    URI uri = URI.create(server.url().replace("https", "wss") + "/echo");
    var socket = client.newWebSocketBuilder().buildAsync(uri, listener).join();
    socket.sendText("hello", true).join();
    assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("hello");
    socket.abort();
  }

  @Test
  void tls_pemFiles_areRead() throws Exception {
    try (HttpServer other = new HttpServer(0)) {
      other.tls(identity.pem(folder), identity.keyPem(folder));
      other.get("/", request -> request.respond(ok("pem"))).start();
      HttpRequest request = HttpRequest.newBuilder(URI.create(other.url() + "/")).build();
      assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("pem");
    }
  }

  @Test
  void tls_missingFile_throws() {
    assertThatThrownBy(() -> new HttpServer(0).tls(folder.resolve("no"), folder.resolve("no")))
        .isInstanceOfAny(IllegalArgumentException.class, UncheckedIOException.class);
  }

  @Test
  void plainTextToTlsPort_isClosed() throws IOException {
    try (Wire wire = new Wire(server)) {
      assertThat(wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").endsWithoutResponse()).isTrue();
    }
  }
}
