package dev.kermes.bench.client;

import dev.kermes.client.Codec;
import dev.kermes.client.Command;
import dev.kermes.client.Commands;
import dev.kermes.client.RedisClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The compared clients, each in the form that its documentation shows. */
public final class PingClients {

  public static final String BARE_SOCKET = "bare socket";

  private PingClients() {}

  /** Connects to a server. */
  public interface Opener {
    PingClient open(InetSocketAddress server) throws Exception;
  }

  /** The clients by the names of their rows; the names of ours begin with kermes. */
  public static Map<String, Opener> all() {
    Map<String, Opener> all = new LinkedHashMap<>();
    all.put(BARE_SOCKET, BareSocket::new);
    all.put("kermes java, each", KermesEach::new);
    all.put("kermes java, all", KermesAll::new);
    all.put("kermes java, batch", KermesBatch::new);
    all.put("kermes java, 1,000 virtual threads", KermesVirtualThreads::new);
    all.put("kermes kotlin, 1,000 coroutines", KermesCoroutines::new);
    IsolatedClojure clojure = IsolatedClojure.standard();
    IsolatedClojure pooled = IsolatedClojure.withExecutors("kermes.bench.ping/fixed-pool");
    IsolatedClojure oldest = IsolatedClojure.oldest();
    all.put("kermes clojure, 1,000 go blocks", clojure(clojure, "go-blocks"));
    all.put("kermes clojure, 1,000 go blocks, fixed pool", clojure(pooled, "go-blocks"));
    all.put("kermes clojure, 1,000 go blocks, core.async 1.6", clojure(oldest, "go-blocks"));
    all.put("kermes clojure, each channel", clojure(clojure, "each"));
    all.put("kermes clojure, batch", clojure(clojure, "batch"));
    all.put("jedis pipeline", PingPeers.JedisPipeline::new);
    all.put("lettuce", server -> new PingPeers.Lettuce(server, true));
    all.put("lettuce manual flush", server -> new PingPeers.Lettuce(server, false));
    all.put("redisson", PingPeers.OverRedisson::new);
    all.put("vertx-redis", server -> new VertxPings(server, false));
    all.put("vertx-redis batch", server -> new VertxPings(server, true));
    return all;
  }

  /** Our Clojure client in one of its forms: {@code each}, {@code go-blocks} or {@code batch}. */
  public static Opener clojure(IsolatedClojure world, String kind) {
    return server ->
        new ClojurePings(
            world.call("kermes.bench.ping/client", kind, url(server), PingClient.COUNT));
  }

  public static String url(InetSocketAddress server) {
    return "redis://127.0.0.1:" + server.getPort();
  }

  /**
   * One write of all requests, then a read of as many bytes as the replies have: nothing can be
   * faster.
   */
  private static final class BareSocket implements PingClient {
    private static final byte[] PINGS =
        "*1\r\n$4\r\nPING\r\n".repeat(COUNT).getBytes(StandardCharsets.US_ASCII);
    private static final int PONGS_LENGTH = "+PONG\r\n".length() * COUNT;

    private final Socket socket;
    private final byte[] buffer = new byte[PONGS_LENGTH];

    BareSocket(InetSocketAddress server) throws IOException {
      socket = new Socket(server.getAddress(), server.getPort());
      socket.setTcpNoDelay(true);
    }

    @Override
    public void round() throws IOException {
      socket.getOutputStream().write(PINGS);
      InputStream in = socket.getInputStream();
      if (in.readNBytes(buffer, 0, PONGS_LENGTH) < PONGS_LENGTH) throw new IOException("closed");
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class KermesEach implements PingClient {
    private final RedisClient client;

    KermesEach(InetSocketAddress server) {
      client = RedisClient.open(url(server));
    }

    @Override
    public void round() {
      List<CompletionStage<String>> replies = new ArrayList<>(COUNT);
      for (int i = 0; i < COUNT; i++) replies.add(client.async().ping());
      for (CompletionStage<String> reply : replies) {
        PingClient.check(
            reply instanceof dev.kermes.client.RedisFuture<String> future
                ? future.join()
                : reply.toCompletableFuture().join());
      }
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Waits once, for a stage that depends on all others. */
  private static final class KermesAll implements PingClient {
    private final RedisClient client;

    KermesAll(InetSocketAddress server) {
      client = RedisClient.open(url(server));
    }

    @Override
    public void round() {
      List<CompletableFuture<String>> replies = new ArrayList<>(COUNT);
      for (int i = 0; i < COUNT; i++) replies.add(client.async().ping().toCompletableFuture());
      CompletableFuture.allOf(replies.toArray(new CompletableFuture<?>[0])).join();
      for (CompletableFuture<String> reply : replies) PingClient.check(reply.join());
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Each virtual thread waits for one PONG. */
  private static final class KermesVirtualThreads implements PingClient {
    private final RedisClient client;

    KermesVirtualThreads(InetSocketAddress server) {
      client = RedisClient.open(url(server));
    }

    @Override
    public void round() throws InterruptedException {
      List<Thread> threads = new ArrayList<>(COUNT);
      AtomicInteger pongs = new AtomicInteger();
      for (int i = 0; i < COUNT; i++) {
        threads.add(
            Thread.startVirtualThread(() -> {
              PingClient.check(client.blocking().ping());
              pongs.getAndIncrement();
            }));
      }
      for (Thread thread : threads) thread.join();
      if (pongs.get() != COUNT) throw new IllegalStateException("pongs=" + pongs);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static final class KermesBatch implements PingClient {
    private final RedisClient client;
    private final Commands<String, String> commands = new Commands<>(Codec.utf8(), Codec.utf8());

    KermesBatch(InetSocketAddress server) {
      client = RedisClient.open(url(server));
    }

    @Override
    public void round() {
      List<Command<String>> batch = new ArrayList<>(COUNT);
      for (int i = 0; i < COUNT; i++) batch.add(commands.ping());
      List<@Nullable Object> replies = client.sendAll(batch).join();
      for (Object reply : replies) PingClient.check(String.valueOf(reply));
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Each coroutine awaits one PONG. */
  private static final class KermesCoroutines implements PingClient {
    private final RedisClient client;

    KermesCoroutines(InetSocketAddress server) {
      client = RedisClient.open(url(server));
    }

    @Override
    public void round() {
      Coroutines.pings(client, COUNT);
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
