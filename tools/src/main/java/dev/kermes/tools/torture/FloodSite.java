package dev.kermes.tools.torture;

import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import dev.kermes.http.HttpServer;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.WebSocket;
import dev.kermes.http.WebSocketHandler;
import dev.kermes.server.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * An application as a victim: a Redis server with clients in the same JVM, which flood it on
 * request, and an HTTP server. Its arguments are the two ports; it reads "attack" and "end" from
 * its standard input.
 */
final class FloodSite {

  /** In-VM clients of each kind; each has its own thread. */
  private static final int OF_EACH_KIND = 2;

  /**
   * The number of commands that each client may have under way: the small heaps belong to the
   * application.
   */
  private static final int QUEUE_MAX = 2048;

  private static final String KILOBYTE = "x".repeat(1024);

  private final RedisServer redis;
  private final List<Thread> attackers = new ArrayList<>();
  private volatile boolean isOver;

  private FloodSite(RedisServer redis) {
    this.redis = redis;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    RedisServer redis =
        RedisServer.builder()
            .port(Integer.parseInt(args[0]))
            .option("requirepass", FloodVictim.PASSWORD)
            .inVm()
            .onLost(() -> Runtime.getRuntime().halt(1))
            .start();
    HttpServer http = site(Integer.parseInt(args[1])).start();
    System.out.println("Ready to accept connections");
    FloodSite site = new FloodSite(redis);
    try (var lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("attack")) site.attack();
        else site.end();
      }
    }
    http.close();
    redis.close();
  }

  private static HttpServer site(int port) {
    return new HttpServer(port)
        .get("/", request -> request.respond(StandardHttpResponses.ok("hello")))
        .get("/large", request -> request.respond(StandardHttpResponses.ok(KILOBYTE.repeat(512))))
        .post(
            "/",
            request -> request.respond(StandardHttpResponses.ok("got " + request.text().length())))
        .webSocket("/echo", new Echo());
  }

  private static final class Echo implements WebSocketHandler {
    @Override
    public void onText(WebSocket socket, String text) {
      CompletableFuture<Void> unused = socket.send(text);
    }
  }

  private void attack() {
    for (int i = 0; i < OF_EACH_KIND; i++) {
      attack(client -> () -> client.async().get("a"));
      attack(client -> () -> client.async().get("large"));
      attack(client -> () -> client.async().publish("flood", KILOBYTE));
      attack(client -> {
        var unused = client.subscribe("flood"); // and reads nothing
        return () -> client.async().ping();
      });
    }
  }

  private interface Kind {
    Supplier<? extends Future<?>> of(RedisClient client);
  }

  /** Sends as fast as its client accepts commands, and ignores the replies. */
  private void attack(Kind kind) {
    attackers.add(
        Thread.ofPlatform()
            .start(() -> {
              try (RedisClient client = RedisClient.open(options())) {
                String unused = client.blocking().set("large", KILOBYTE.repeat(100));
                Supplier<? extends Future<?>> command = kind.of(client);
                while (!isOver) {
                  boolean isRefused = command.get().state() == Future.State.FAILED;
                  if (isRefused) Thread.sleep(1); // its queue is full
                }
              } catch (InterruptedException e) {
                isOver = true;
              }
            }));
  }

  private RedisOptions options() {
    String url = redis.inVmUrl().replace("//", "//:" + FloodVictim.PASSWORD + "@");
    return RedisOptions.url(url).queueMax(QUEUE_MAX).build();
  }

  private void end() throws InterruptedException {
    isOver = true;
    for (Thread each : attackers) each.join();
  }
}
