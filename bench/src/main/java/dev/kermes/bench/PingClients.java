package dev.kermes.bench;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import dev.kermes.client.Codec;
import dev.kermes.client.Command;
import dev.kermes.client.Commands;
import dev.kermes.client.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;

/** The ways that are compared, each in the form that its documentation shows. */
final class PingClients {

  static final String FLOOR = "bare socket";

  private PingClients() {}

  interface Opener {
    PingClient open(InetSocketAddress server) throws Exception;
  }

  /** By the names of their rows; ours begin with kermes. */
  static Map<String, Opener> all() {
    Map<String, Opener> all = new LinkedHashMap<>();
    all.put(FLOOR, BareSocket::new);
    all.put("kermes java, each", KermesEach::new);
    all.put("kermes java, batch", KermesBatch::new);
    all.put("kermes java, 1,000 virtual threads", KermesVirtualThreads::new);
    all.put("kermes clojure, 1,000 go blocks", server -> new KermesClojure(server, "go-blocks"));
    all.put("kermes clojure, each channel", server -> new KermesClojure(server, "each"));
    all.put("kermes clojure, batch", server -> new KermesClojure(server, "batch"));
    all.put("jedis pipeline", JedisPipeline::new);
    all.put("lettuce", server -> new Lettuce(server, true));
    all.put("lettuce manual flush", server -> new Lettuce(server, false));
    return all;
  }

  private static String url(InetSocketAddress server) {
    return "redis://127.0.0.1:" + server.getPort();
  }

  /** One write of all, then as many bytes as the replies have: nothing can be faster. */
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

  /** Each waits for one PONG. */
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

  /** The rounds are written in Clojure, in ping.clj. */
  private static final class KermesClojure implements PingClient {
    private static final String NAMESPACE = "kermes.bench.ping";

    private final IFn round;
    private final Object client;

    KermesClojure(InetSocketAddress server, String kind) {
      Clojure.var("clojure.core", "require").invoke(Clojure.read(NAMESPACE));
      round = Clojure.var(NAMESPACE, kind);
      client = Clojure.var(NAMESPACE, "open").invoke(url(server));
    }

    @Override
    public void round() {
      round.invoke(client, COUNT);
    }

    @Override
    public void close() {
      Clojure.var(NAMESPACE, "close").invoke(client);
    }
  }

  private static final class JedisPipeline implements PingClient {
    /** Its pipelines have no method for it. */
    private static final CommandObject<String> PING =
        new CommandObject<>(new CommandArguments(Protocol.Command.PING), BuilderFactory.STRING);

    private final Jedis jedis;

    JedisPipeline(InetSocketAddress server) {
      jedis = new Jedis(server.getAddress().getHostAddress(), server.getPort());
    }

    @Override
    public void round() {
      List<Response<String>> replies = new ArrayList<>(COUNT);
      try (Pipeline pipeline = jedis.pipelined()) {
        for (int i = 0; i < COUNT; i++) replies.add(pipeline.executeCommand(PING));
        pipeline.sync();
      }
      for (Response<String> reply : replies) PingClient.check(reply.get());
    }

    @Override
    public void close() {
      jedis.close();
    }
  }

  private static final class Lettuce implements PingClient {
    private final io.lettuce.core.RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final boolean flushesByItself;

    Lettuce(InetSocketAddress server, boolean flushesByItself) {
      client = io.lettuce.core.RedisClient.create(RedisURI.create(url(server)));
      connection = client.connect();
      connection.setAutoFlushCommands(flushesByItself);
      this.flushesByItself = flushesByItself;
    }

    @Override
    public void round() throws Exception {
      List<RedisFuture<String>> replies = new ArrayList<>(COUNT);
      for (int i = 0; i < COUNT; i++) replies.add(connection.async().ping());
      if (!flushesByItself) connection.flushCommands();
      for (RedisFuture<String> reply : Collections.unmodifiableList(replies)) {
        PingClient.check(reply.get());
      }
    }

    @Override
    public void close() {
      connection.setAutoFlushCommands(true);
      connection.close();
      client.shutdown();
    }
  }
}
