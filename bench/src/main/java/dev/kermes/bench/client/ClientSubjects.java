package dev.kermes.bench.client;

import dev.kermes.client.AsyncCommands;
import dev.kermes.client.CachedRead;
import dev.kermes.client.Codec;
import dev.kermes.client.Commands;
import dev.kermes.client.DedicatedConnection;
import dev.kermes.client.ReadCache;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.support.caching.CacheAccessor;
import io.lettuce.core.support.caching.CacheFrontend;
import io.lettuce.core.support.caching.ClientSideCaching;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisPooled;

/** The compared libraries; those that can share a connection have one. */
final class ClientSubjects {

  static final String JEDIS = "jedis";
  private static final long CACHE_BYTES = 1 << 20;

  static final String MANUAL_FLUSH = "lettuce manual flush";

  private ClientSubjects() {}

  /** The subjects by the names of their rows; the names of ours begin with kermes. */
  static Map<String, Function<InetSocketAddress, ClientSubject>> all() {
    Map<String, Function<InetSocketAddress, ClientSubject>> all = new LinkedHashMap<>();
    all.put("kermes", Kermes::new);
    all.put(PingClients.BARE_SOCKET, BareSocketSubject::new);
    all.put(JEDIS, Jedis::new);
    all.put("lettuce", server -> new Lettuce(server, true));
    all.put(MANUAL_FLUSH, server -> new Lettuce(server, false));
    all.put("redisson", OverRedisson::new);
    all.put("vertx-redis", OverVertx::new);
    return all;
  }

  static String url(InetSocketAddress server) {
    return "redis://127.0.0.1:" + server.getPort();
  }

  private static <T> T wait(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static final class Kermes implements ClientSubject {
    private final dev.kermes.client.RedisClient client;
    private @Nullable AsyncCommands<String, String> own;
    private @Nullable ReadCache cache;
    private @Nullable CachedRead<@Nullable String> prepared;

    Kermes(InetSocketAddress server) {
      client = dev.kermes.client.RedisClient.open(url(server));
    }

    @Override
    @SuppressWarnings("NullAway") // the keys exist
    public CompletionStage<String> get(String key) {
      return client.async().get(key);
    }

    /** On a connection of its own, as the guide says. */
    @Override
    @SuppressWarnings("NullAway")
    public CompletionStage<String> getLarge(String key) {
      if (own == null) {
        DedicatedConnection connection = client.dedicated().toCompletableFuture().join();
        own = new AsyncCommands<>(new Commands<>(Codec.utf8(), Codec.utf8()), connection);
      }
      return own.get(key);
    }

    @Override
    public CompletionStage<?> set(String key, String value) {
      return client.async().set(key, value);
    }

    @Override
    public CompletionStage<Long> incr(String key) {
      return client.async().incr(key);
    }

    @Override
    public CompletionStage<?> rpush(String key, String value) {
      return client.async().rpush(key, value);
    }

    @Override
    @SuppressWarnings("NullAway")
    public String getNow(String key) {
      return client.blocking().get(key);
    }

    @Override
    @SuppressWarnings("NullAway")
    public String getCached(String key) {
      return cache().blocking().get(key);
    }

    @Override
    @SuppressWarnings("NullAway")
    public String getPrepared(String key) {
      if (prepared == null) {
        prepared = cache().prepare(new Commands<>(Codec.utf8(), Codec.utf8()).get(key));
      }
      return prepared.get();
    }

    private ReadCache cache() {
      if (cache == null) cache = client.cache(Duration.ofMinutes(10), CACHE_BYTES);
      return cache;
    }

    @Override
    public void coroutineGets(String key, int length, int callers, int operations) {
      Coroutines.gets(client, key, length, callers, operations);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Jedis waits in every call, on a connection of a pool. */
  private static final class Jedis implements ClientSubject {
    private static final int POOL = 64;

    private final JedisPooled client;

    Jedis(InetSocketAddress server) {
      ConnectionPoolConfig pool = new ConnectionPoolConfig();
      pool.setMaxTotal(POOL);
      pool.setMaxIdle(POOL);
      client = new JedisPooled(pool, "127.0.0.1", server.getPort());
    }

    @Override
    public String getNow(String key) {
      return client.get(key);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static final class Lettuce implements ClientSubject {
    private final io.lettuce.core.RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private @Nullable CacheFrontend<String, String> cache;

    Lettuce(InetSocketAddress server, boolean flushesByItself) {
      client = io.lettuce.core.RedisClient.create(RedisURI.create(url(server)));
      connection = client.connect();
      connection.setAutoFlushCommands(flushesByItself);
      commands = connection.async();
    }

    @Override
    public CompletionStage<String> get(String key) {
      return commands.get(key);
    }

    @Override
    public CompletionStage<?> set(String key, String value) {
      return commands.set(key, value);
    }

    @Override
    public CompletionStage<Long> incr(String key) {
      return commands.incr(key);
    }

    @Override
    public CompletionStage<?> rpush(String key, String value) {
      return commands.rpush(key, value);
    }

    @Override
    public String getNow(String key) {
      return connection.sync().get(key);
    }

    @Override
    public String getCached(String key) {
      if (cache == null) {
        CacheAccessor<String, String> map = CacheAccessor.forMap(new ConcurrentHashMap<>());
        cache = ClientSideCaching.enable(map, connection, TrackingArgs.Builder.enabled());
      }
      return cache.get(key);
    }

    @Override
    public void flush() {
      connection.flushCommands();
    }

    @Override
    public void close() {
      connection.setAutoFlushCommands(true);
      connection.close();
      client.shutdown();
    }
  }

  private static final class OverRedisson implements ClientSubject {
    private final RedissonClient client;

    OverRedisson(InetSocketAddress server) {
      Config config = new Config();
      config.useSingleServer().setAddress(url(server));
      config.setCodec(StringCodec.INSTANCE);
      client = Redisson.create(config);
    }

    @Override
    public CompletionStage<String> get(String key) {
      return client.<String>getBucket(key).getAsync();
    }

    @Override
    public CompletionStage<?> set(String key, String value) {
      return client.getBucket(key).setAsync(value);
    }

    @Override
    public CompletionStage<Long> incr(String key) {
      return client.getAtomicLong(key).incrementAndGetAsync();
    }

    @Override
    public CompletionStage<?> rpush(String key, String value) {
      return client.getList(key).addAsync(value);
    }

    @Override
    public String getNow(String key) {
      return client.<String>getBucket(key).get();
    }

    @Override
    public void close() {
      client.shutdown();
    }
  }

  /** Vert.x's client on one connection; a connection pipelines by itself up to its own bound. */
  private static final class OverVertx implements ClientSubject {
    private static final int WAITING_MAX = 1 << 20;

    private final Vertx vertx = Vertx.vertx();
    private final Redis redis;
    private final RedisConnection connection;

    OverVertx(InetSocketAddress server) {
      redis =
          Redis.createClient(
              vertx,
              new io.vertx.redis.client.RedisOptions()
                  .setConnectionString(url(server))
                  .setMaxWaitingHandlers(WAITING_MAX));
      connection = ClientSubjects.wait(redis.connect().toCompletionStage());
    }

    @SuppressWarnings("NullAway") // none of these commands replies nil
    private CompletionStage<Response> send(Request request) {
      return connection.send(request).toCompletionStage();
    }

    @Override
    public CompletionStage<String> get(String key) {
      return send(Request.cmd(Command.GET).arg(key)).thenApply(Response::toString);
    }

    @Override
    public CompletionStage<?> set(String key, String value) {
      return send(Request.cmd(Command.SET).arg(key).arg(value));
    }

    @Override
    public CompletionStage<Long> incr(String key) {
      return send(Request.cmd(Command.INCR).arg(key)).thenApply(Response::toLong);
    }

    @Override
    public CompletionStage<?> rpush(String key, String value) {
      return send(Request.cmd(Command.RPUSH).arg(key).arg(value));
    }

    @Override
    public String getNow(String key) {
      return ClientSubjects.wait(get(key));
    }

    @Override
    public void close() {
      redis.close();
      ClientSubjects.wait(vertx.close().toCompletionStage());
    }
  }
}
