package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.notFound;
import static dev.kermes.http.StandardHttpResponses.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes, requests and responses over a socket. */
class HttpServerTest {

  @TempDir Path folder;

  private final HttpServer server = new HttpServer(0);

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** The project's first program: a path parameter appended to a directory. */
  private void serveLikeThen() {
    server.on(
        "/lib/{resource}**",
        request -> {
          Path path = Paths.get(folder.toString(), request.pathParam("resource"));
          if (Files.exists(path)) request.respond(ok("application/octet-stream", path));
          else request.respond(notFound());
        });
  }

  @Test
  void on_fileFromPathParameter_isSent() throws IOException {
    serveLikeThen();
    Files.createDirectory(folder.resolve("js"));
    Files.writeString(folder.resolve("js/a.min.js"), "let a;");
    Wire.Reply reply = Wire.get(server, "/lib/js/a.min.js");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).isEqualTo("let a;");
    assertThat(reply.header("content-type")).isEqualTo("application/octet-stream");
    assertThat(reply.header("content-length")).isEqualTo("6");
    assertThat(Wire.get(server, "/lib/js/b.js").status()).isEqualTo(404);
  }

  @Test
  void on_directoryInsteadOfFile_isNotFound() throws IOException {
    serveLikeThen();
    assertThat(Wire.get(server, "/lib/").status()).isEqualTo(404);
    assertThat(Wire.get(server, "/lib/.").status()).isEqualTo(404);
  }

  @Test
  void on_linkOutOfTheDirectory_isNotFound() throws IOException {
    serveLikeThen();
    Path secret = Files.createTempFile("kermes", "secret");
    try {
      Files.createSymbolicLink(folder.resolve("link"), secret);
      Files.writeString(folder.resolve("file"), "x");
      Files.createSymbolicLink(folder.resolve("inner"), folder.resolve("file"));
      assertThat(Wire.get(server, "/lib/link").status()).isEqualTo(404);
      assertThat(Wire.get(server, "/lib/inner").text()).isEqualTo("x");
    } finally {
      Files.delete(secret);
    }
  }

  @Test
  void get_handlerOnTheLoop_readsPathParameter() throws IOException {
    server.get(
        "/hello/{name}", HttpHandler.onLoop(r -> r.respond(ok("Hello " + r.pathParam("name")))));
    assertThat(Wire.get(server, "/hello/J%C3%B6%20x").text()).isEqualTo("Hello Jö x");
  }

  @Test
  void post_echoesTheBody() throws IOException {
    server.post("/echo", request -> request.respond(ok(request.text())));
    Wire.Reply reply =
        Wire.ask(server, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    assertThat(reply.text()).isEqualTo("hello");
  }

  @Test
  void keepAlive_thousandsOfPipelinedRequests_areAnsweredInOrder() throws Exception {
    server.get("/n/{n}", request -> request.respond(ok(request.pathParam("n"))));
    server.post("/n/{n}", request -> request.respond(ok(request.pathParam("n") + request.text())));
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      String head = " /n/" + i + " HTTP/1.1\r\nHost: x\r\n";
      if (i % 3 == 0) requests.append("POST" + head + "Content-Length: 4\r\n\r\nbody");
      else requests.append("GET" + head + "\r\n");
    }
    try (Wire wire = new Wire(server)) {
      Thread writer = Thread.ofVirtual().start(() -> send(wire, requests.toString()));
      for (int i = 0; i < 5000; i++) {
        assertThat(wire.reply().text()).isEqualTo(i % 3 == 0 ? i + "body" : "" + i);
      }
      writer.join();
    }
  }

  private static void send(Wire wire, String text) {
    try {
      Wire unused = wire.send(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void keepAlive_severalRequestsInOneWrite_areAnsweredInOrder() throws IOException {
    server.get("/{n}", request -> request.respond(ok(request.pathParam("n"))));
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 300; i++) requests.append("GET /" + i + " HTTP/1.1\r\nHost: x\r\n\r\n");
    try (Wire wire = new Wire(server)) {
      wire.send(requests.toString());
      for (int i = 0; i < 300; i++) assertThat(wire.reply().text()).isEqualTo("" + i);
    }
  }

  @Test
  void add_routeForSamePathsAndMethod_throws() {
    server.get("/a/{x}", request -> {});
    server.post("/a/{y}", request -> {});
    assertThatThrownBy(() -> server.get("/a/{y}", request -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("route taken: method=GET, pattern=/a/{y}, by=/a/{x}");
  }

  @Test
  void pipelineOfAClientThatReadsNothing_isNotReadEither_andIsAnswered() throws Exception {
    int requests = 10_000;
    String body = "x".repeat(8_000);
    try (HttpServer server = new HttpServer(0)) {
      server.get("/", HttpHandler.onLoop(request -> request.respond(ok(body)))).start();
      try (Wire wire = new Wire(server)) {
        String request = "GET / HTTP/1.1\r\nHost: x\r\nF: " + "x".repeat(6_000) + "\r\n\r\n";
        AtomicInteger sent = Wire.sendUntilStalled(requests, i -> wire.send(request));
        assertThat(sent).hasValueLessThan(requests); // 60 MB exceed the buffers of sockets
        for (int i = 0; i < requests; i++) assertThat(wire.reply().bytes()).hasSize(8_000);
      }
    }
  }
}
