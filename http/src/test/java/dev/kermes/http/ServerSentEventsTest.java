package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.events;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Server-sent events; HTML Living Standard, 9.2. */
class ServerSentEventsTest {

  private final HttpServer server = new HttpServer(0).start();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void send_writesFieldsAndLines() throws IOException {
    server.get(
        "/events",
        request ->
            request.respond(
                events(stream -> {
                  stream.send("one");
                  stream.send(
                      ServerSentEvent.of("two\nlines\r\nor three")
                          .withName("tick")
                          .withId("7")
                          .withRetry(Duration.ofSeconds(2)));
                  stream.send("");
                })));
    Wire.Reply reply = Wire.get(server, "/events");
    assertThat(reply.header("content-type")).isEqualTo("text/event-stream");
    assertThat(reply.header("cache-control")).isEqualTo("no-store");
    assertThat(reply.text())
        .isEqualTo(
            """
            data: one

            event: tick
            id: 7
            retry: 2000
            data: two
            data: lines
            data: or three

            data:\s

            """);
  }

  @Test
  void event_lineBreakInNameOrId_throws() {
    assertThatThrownBy(() -> ServerSentEvent.of("x").withName("a\nb"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ServerSentEvent.of("x").withId("a\rb"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ServerSentEvent.of("x").withId("a\0b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void lastEventId_isSentOnReconnect() throws IOException {
    server.get(
        "/events",
        request ->
            request.respond(
                events(stream -> stream.send("after " + request.header("last-event-id")))));
    assertThat(Wire.get(server, "/events", "Last-Event-ID: 41").text())
        .isEqualTo("data: after 41\n\n");
  }

  /** The writer only waits while other threads send; it ends when the client disconnects. */
  @Test
  void awaitEnd_returnsWhenTheClientDisconnects() throws Exception {
    AtomicReference<EventStream> open = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    server.get(
        "/events",
        request ->
            request.respond(
                events(stream -> {
                  open.set(stream);
                  begun.countDown();
                  stream.awaitEnd();
                  ended.countDown();
                })));
    try (Wire wire = new Wire(server)) {
      wire.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
      begun.await();
      open.get().send("hello");
      assertThat(ended.getCount()).isEqualTo(1);
    }
    assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(open.get().hasEnded()).isTrue();
    assertThatThrownBy(() -> open.get().send("late")).isInstanceOf(IOException.class);
  }

  @Test
  void end_calledByTheServer_endsTheResponse() throws Exception {
    AtomicReference<EventStream> open = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    server.get(
        "/events",
        request ->
            request.respond(
                events(stream -> {
                  open.set(stream);
                  begun.countDown();
                  stream.awaitEnd();
                })));
    CompletableFuture<Wire.Reply> reply =
        CompletableFuture.supplyAsync(() -> {
          try {
            return Wire.get(server, "/events");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    begun.await();
    open.get().send("last");
    open.get().end();
    assertThat(reply.get(20, TimeUnit.SECONDS).text()).isEqualTo("data: last\n\n");
  }

  @Test
  void heartBeat_sendsCommentsWhileIdle() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    EventStream.body(
            stream -> {
              while (count(out, ":\n\n") < 3) Thread.onSpinWait();
              stream.send("after");
            },
            Duration.ofMillis(1))
        .writeTo(out);
    assertThat(out.toString(UTF_8)).startsWith(":\n\n:\n\n:\n\n").contains("data: after\n\n");
  }

  private static int count(ByteArrayOutputStream out, String what) {
    return out.toString(UTF_8).split(what, -1).length - 1;
  }

  @Test
  void client_getsEventsOneByOne() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    server.get(
        "/events",
        request ->
            request.respond(
                events(stream -> {
                  stream.send("first");
                  goOn.await();
                  stream.send("second");
                })));
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/events")).build();
      var response = client.send(request, BodyHandlers.ofInputStream());
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
        assertThat(lines.readLine()).isEqualTo("data: first");
        goOn.countDown();
        assertThat(lines.readLine()).isEmpty();
        assertThat(lines.readLine()).isEqualTo("data: second");
      }
    }
  }
}
