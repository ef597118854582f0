package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static dev.kermes.http.StandardHttpResponses.stream;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.http.internal.negotiation.AcceptEncoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content codings of responses of handlers; RFC 9110, 8.4 and 12.5.3. */
class CompressionTest {

  private static final String TEXT = "all work and no play ".repeat(200);

  private final HttpServer server = new HttpServer(0).compress(true);

  @BeforeEach
  void start() {
    server.get("/text", request -> request.respond(ok(TEXT).with("etag", "\"1\"")));
    server.get("/loop", HttpHandler.onLoop(request -> request.respond(ok(TEXT))));
    server.get("/short", request -> request.respond(ok("short")));
    server.get("/image", request -> request.respond(ok("image/png", TEXT)));
    server.get("/coded", request -> request.respond(ok(TEXT).with("content-encoding", "br")));
    server.get("/kept", request -> request.respond(ok(TEXT).with("cache-control", "no-transform")));
    server.get(
        "/stream",
        request -> request.respond(stream("text/plain", out -> out.write(TEXT.getBytes(UTF_8)))));
    server.get(
        "/fails",
        request ->
            request.respond(
                stream(
                    "text/plain",
                    out -> {
                      out.write(TEXT.getBytes(UTF_8));
                      throw new IOException("source is gone");
                    })));
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String ungzipped(Wire.Reply reply) throws IOException {
    assertThat(reply.header("content-encoding")).isEqualTo("gzip");
    try (var in = new GZIPInputStream(new ByteArrayInputStream(reply.bytes()))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/text", "/loop", "/stream"})
  void gzip_longText_isCompressed(String path) throws IOException {
    Wire.Reply reply = Wire.get(server, path, "Accept-Encoding: gzip, deflate, br");
    assertThat(ungzipped(reply)).isEqualTo(TEXT);
    assertThat(reply.bytes().length).isLessThan(TEXT.length() / 5);
    assertThat(reply.header("vary")).isEqualTo("accept-encoding");
  }

  @Test
  void deflate_usesTheZlibFormat() throws IOException {
    Wire.Reply reply = Wire.get(server, "/text", "Accept-Encoding: deflate");
    assertThat(reply.header("content-encoding")).isEqualTo("deflate");
    try (var in = new InflaterInputStream(new ByteArrayInputStream(reply.bytes()))) {
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(TEXT);
    }
  }

  /** The handler's strong tag does not describe the compressed bytes. */
  @Test
  void compressedResponse_hasAWeakEtag() throws IOException {
    assertThat(Wire.get(server, "/text", "Accept-Encoding: gzip").header("etag"))
        .isEqualTo("W/\"1\"");
    assertThat(Wire.get(server, "/text").header("etag")).isEqualTo("\"1\"");
  }

  @Test
  void noAcceptEncoding_sendsPlainTextWithVary() throws IOException {
    Wire.Reply reply = Wire.get(server, "/text");
    assertThat(reply.text()).isEqualTo(TEXT);
    assertThat(reply.header("content-encoding")).isEmpty();
    assertThat(reply.header("vary")).isEqualTo("accept-encoding");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/short", "/image", "/kept"})
  void shortOrNonTextBody_isNotCompressed(String path) throws IOException {
    Wire.Reply reply = Wire.get(server, path, "Accept-Encoding: gzip");
    assertThat(reply.header("content-encoding")).isEmpty();
    assertThat(reply.header("vary")).isEmpty();
  }

  @Test
  void responseWithContentEncoding_isNotCompressedAgain() throws IOException {
    Wire.Reply reply = Wire.get(server, "/coded", "Accept-Encoding: gzip");
    assertThat(reply.header("content-encoding")).isEqualTo("br");
    assertThat(reply.text()).isEqualTo(TEXT);
  }

  @Test
  void head_hasTheFieldsOfGet() throws IOException {
    Wire.Reply get = Wire.get(server, "/text", "Accept-Encoding: gzip");
    Wire.Reply head =
        Wire.ask(server, "HEAD /text HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
    assertThat(head.header("content-length")).isEqualTo(get.header("content-length"));
    assertThat(head.header("content-encoding")).isEqualTo("gzip");
  }

  /** The client must not take the received part for the whole body. */
  @Test
  void stream_writerFails_connectionIsCut() throws IOException {
    try (Wire wire = new Wire(server)) {
      wire.send("GET /fails HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
      assertThat(wire.rest()).startsWith("HTTP/1.1 200").doesNotContain("\r\n0\r\n\r\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | 1000",
        "GZIP | 1000",
        "x-gzip | 1000",
        "gzip;q=0 | 0",
        "gzip;q=0.000 | 0",
        "gzip; q=0.5 | 500",
        "deflate, gzip;Q=0.123 | 123",
        "* | 1000",
        "*;q=0.1 | 100",
        "*, gzip;q=0 | 0",
        "gzip;q=0, * | 0",
        "identity | 0",
        "gzip;q=2 | 0",
        "gzip;q=-1 | 0",
        "gzip;q= | 0",
        "gzip;x=1 | 0",
        "gzipped | 0",
        ",,;;,q=1 | 0",
        "'' | 0",
      })
  void quality_returnsTheWeightOfGzip(String field, int expected) {
    assertThat(AcceptEncoding.quality(List.of(field), "gzip")).isEqualTo(expected);
  }

  @Test
  void best_prefersTheClientsWeightThenTheServersOrder() {
    List<String> ours = List.of("gzip", "deflate");
    assertThat(AcceptEncoding.best(List.of("deflate, gzip"), ours)).isEqualTo("gzip");
    assertThat(AcceptEncoding.best(List.of("deflate", "gzip;q=0.9"), ours)).isEqualTo("deflate");
    assertThat(AcceptEncoding.best(List.of("br"), ours)).isNull();
    assertThat(AcceptEncoding.best(List.of("gzip;q=0.5, identity;q=1"), ours)).isNull();
    assertThat(AcceptEncoding.best(List.of("gzip;q=0.5, identity;q=0.5"), ours)).isEqualTo("gzip");
    assertThat(AcceptEncoding.best(List.of(), ours)).isNull();
  }
}
