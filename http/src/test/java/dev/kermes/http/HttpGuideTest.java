package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.events;
import static dev.kermes.http.StandardHttpResponses.notFound;
import static dev.kermes.http.StandardHttpResponses.ok;
import static dev.kermes.http.StandardHttpResponses.stream;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.reactor.On;
import dev.kermes.testing.GuideBlocks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/http.md. */
class HttpGuideTest {

  @TempDir Path folder;

  /** An object whose methods are routes. */
  @On("/books")
  public static final class Books {
    @On("/{title}")
    @Get
    public String find(String title) {
      return "Here is " + title;
    }
  }

  @Test
  void guide() throws Exception {
    Files.writeString(folder.resolve("a.txt"), "file");
    String resources = folder.toString();
    HttpServer server =
        new HttpServer(0) // a free port; new HttpServer(3000) takes that one
            .get(
                "/hello/{name}",
                request -> request.respond(ok("Hello " + request.pathParam("name"))))
            .post("/echo", request -> request.respond(ok(request.text())))
            .files("/static/{file}**", folder)
            .start();
    server.on(
        "/lib/{resource}**",
        request -> {
          Path path = Paths.get(resources, request.pathParam("resource"));
          if (Files.exists(path)) request.respond(ok("application/octet-stream", path));
          else request.respond(notFound());
        });
    server.get("/fast", HttpHandler.onLoop(request -> request.respond(ok("fast"))));
    server.get(
        "/gone",
        request -> {
          throw new HttpException(410, "moved to the attic");
        });
    server.get(
        "/numbers",
        request ->
            request.respond(
                stream(
                    "text/plain",
                    out -> {
                      for (int i = 0; i < 1000; i++) out.write((i + "\n").getBytes(UTF_8));
                    })));
    server.post(
        "/upload",
        request -> {
          long length = 0;
          for (Part part : request.parts()) {
            if (part.fileName() == null) continue;
            length += part.saveTo(folder.resolve(UUID.randomUUID() + ".upload"), 100 << 20);
          }
          request.respond(ok("stored " + length + " bytes"));
        });
    server.get(
        "/ticks",
        request ->
            request.respond(
                events(stream -> {
                  String last = request.header("last-event-id");
                  for (int i = last == null ? 1 : Integer.parseInt(last) + 1; i <= 3; i++) {
                    stream.send(ServerSentEvent.of("tick " + i).withId("" + i));
                  }
                })));
    server.webSocket(
        "/chat/{room}",
        (socket, text) -> socket.send(socket.request().pathParam("room") + ": " + text));
    server.register(new Books());
    try (server) {
      assertThat(Wire.get(server, "/hello/Jo").text()).isEqualTo("Hello Jo");
      String post = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi";
      assertThat(Wire.ask(server, post).text()).isEqualTo("hi");
      assertThat(Wire.get(server, "/static/a.txt").text()).isEqualTo("file");
      assertThat(Wire.get(server, "/lib/a.txt").text()).isEqualTo("file");
      assertThat(Wire.get(server, "/lib/b.txt").status()).isEqualTo(404);
      assertThat(Wire.get(server, "/fast").text()).isEqualTo("fast");
      assertThat(Wire.get(server, "/gone").status()).isEqualTo(410);
      assertThat(Wire.get(server, "/numbers").text()).startsWith("0\n1\n").endsWith("999\n");
      assertThat(Wire.get(server, "/books/Emma").text()).isEqualTo("Here is Emma");
      assertThat(upload(server)).isEqualTo("stored 3 bytes");
      assertThat(Wire.get(server, "/ticks", "Last-Event-ID: 2").text())
          .isEqualTo("id: 3\ndata: tick 3\n\n");
      assertThat(chat(server)).isEqualTo("hall: hi");
    }
  }

  private static String upload(HttpServer server) throws IOException {
    String form =
        "--b\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\nabc\r\n--b--\r\n";
    String head =
        "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n";
    return Wire.ask(server, head + "Content-Length: " + form.length() + "\r\n\r\n" + form).text();
  }

  private static String chat(HttpServer server) throws Exception {
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
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create(server.url().replace("http", "ws") + "/chat/hall");
      var socket = client.newWebSocketBuilder().buildAsync(uri, listener).join();
      socket.sendText("hi", true).join();
      String text = answer.get(20, TimeUnit.SECONDS);
      socket.abort();
      return text;
    }
  }

  /** The page shows the code that is run above; white space may differ. */
  @Test
  void page_showsThisCode() throws IOException {
    assertThat(GuideBlocks.countShown("http.md", HttpGuideTest.class)).isEqualTo(8);
  }
}
