package dev.kermes.client;

import dev.kermes.client.internal.cache.CacheConnection;
import dev.kermes.client.internal.cache.CachedReplies;
import dev.kermes.client.internal.cache.OwnWrites;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestKey;
import dev.kermes.client.internal.command.Route;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.pending.CommandFuture;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.routing.Node;
import dev.kermes.client.internal.routing.Servers;
import dev.kermes.resp.ReplyReader;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A view of a client that caches replies and drops them when the server announces that a key has
 * changed (CLIENT TRACKING). It reads on its own connections.
 *
 * <pre>{@code
 * ReadCache cache = redis.cache(Duration.ofMinutes(1), 16 << 20);
 * cache.blocking().get("k");    // asks the server
 * cache.blocking().get("k");    // does not
 * }</pre>
 *
 * <p>It caches the replies of commands that only read, have keys in one slot, and give the same
 * reply until a key changes. All other commands pass through. After a caller has the reply to a
 * write through this view, it never reads an older value through it. Any other change, including
 * this client's writes outside the view, is visible as soon as the server's announcement has
 * arrived. When a connection is lost, everything read on it is dropped, and no entry is older than
 * the time to live. With RESP2 nothing is cached. A hit takes no lock and decodes the reply again.
 * Any thread.
 */
public final class ReadCache implements AsyncSender, BlockingSender, AutoCloseable {
  private final RedisClient redis;
  private final Servers servers;
  private final EventLoop loop;
  private final long ttlNanos;
  private final boolean isTracking;
  private final OwnWrites writes = new OwnWrites();
  private final CachedReplies replies;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** Owned by the event loop. */
  private final Map<Node, CacheConnection> connections = new HashMap<>();

  private volatile boolean isClosed;

  ReadCache(RedisClient redis, Servers servers, Connector connector, Duration ttl, long bytesMax) {
    this.redis = redis;
    this.servers = servers;
    this.loop = connector.loop();
    this.ttlNanos = ttl.toNanos();
    this.isTracking = redis.options().respVersion() == 3;
    this.replies = new CachedReplies(bytesMax, writes);
  }

  /** Every command as a method that returns a future; keys and values are Strings. */
  public AsyncCommands<String, String> async() {
    return new AsyncCommands<>(new Commands<>(Codec.utf8(), Codec.utf8()), this);
  }

  /** Every command as a method that waits; keys and values are Strings. */
  public BlockingCommands<String, String> blocking() {
    return new BlockingCommands<>(new Commands<>(Codec.utf8(), Codec.utf8()), this);
  }

  @Override
  public <T extends @Nullable Object> RedisFuture<T> send(Command<T> command) {
    return start(EncodedCommand.of(command));
  }

  @Override
  public <T extends @Nullable Object> T call(Command<T> command) {
    return start(EncodedCommand.of(command)).joinThrowing();
  }

  private <T extends @Nullable Object> PendingFuture<T> start(EncodedCommand<T> command) {
    if (!isTracking || isClosed || command.failure() != null) return redis.start(command);
    CachedReplies.Entry entry = find(RequestKey.of(command));
    if (entry == null) return ask(command);
    CommandFuture<T> future = new CommandFuture<>(command);
    future.succeed(command.decoder().decode(ReplyReader.over(entry.reply())), null);
    return future;
  }

  /**
   * Prepares a command that is to be read again and again: its reply is decoded once, until a key
   * changes, and a hit allocates nothing.
   *
   * <pre>{@code
   * var motd = cache.prepare(commands.get("motd"));
   * motd.get();
   * }</pre>
   */
  public <T extends @Nullable Object> CachedRead<T> prepare(Command<T> command) {
    return new CachedRead<>(this, EncodedCommand.of(command));
  }

  /** Whether a reply that was found before may still be served; counts a hit. */
  boolean isCurrent(CachedReplies.Entry entry) {
    if (isClosed || !replies.isCurrent(entry)) return false;
    hits.increment();
    return true;
  }

  /** The reply to a request, or null; counts a hit. */
  CachedReplies.@Nullable Entry find(RequestKey request) {
    CachedReplies.Entry entry = isClosed ? null : replies.find(request);
    if (entry != null) hits.increment();
    return entry;
  }

  private <T extends @Nullable Object> PendingFuture<T> ask(EncodedCommand<T> command) {
    Route route = Route.of(command);
    if (route.mayWrite()) return write(command, route.requestKeys());
    if (!route.isCacheable()) return redis.start(command);
    misses.increment();
    CommandFuture<T> whole = new CommandFuture<>(command);
    try {
      loop.execute(() -> ask(command, route, whole));
      return whole;
    } catch (RejectedExecutionException e) {
      return redis.start(command);
    }
  }

  /** Sends a write; until its reply is there, nothing that depends on {@code keys} is cached. */
  private <T extends @Nullable Object> PendingFuture<T> write(
      EncodedCommand<T> command, List<RequestKey> keys) {
    writes.begin(keys);
    CommandFuture<T> whole = new CommandFuture<>(command);
    PendingFuture<T> sent = redis.start(command);
    whole.setLoop(sent.loop());
    whole.cancelWith(sent);
    sent.then((result, failure, callbacks) -> {
      if (loop.inEventLoop()) forget(keys);
      else forgetSoon(keys);
      whole.end(result, failure, callbacks);
    });
    return whole;
  }

  private void forgetSoon(List<RequestKey> keys) {
    try {
      loop.execute(() -> forget(keys));
    } catch (RejectedExecutionException e) {
      // the client is closed and caches nothing
    }
  }

  private void forget(List<RequestKey> keys) {
    if (keys.isEmpty()) replies.invalidateAll();
    for (RequestKey key : keys) replies.invalidate(key);
    writes.end(keys);
  }

  /**
   * Reads on the cache's connection, and after a failure there on the client's own. On the loop.
   */
  private <T extends @Nullable Object> void ask(
      EncodedCommand<T> command, Route route, CommandFuture<T> whole) {
    Node node = servers.master(route.slot());
    if (node == null || isClosed) {
      whole.follow(redis.start(command));
      return;
    }
    CacheConnection connection =
        connections.computeIfAbsent(node, any -> new CacheConnection(any, replies, writes));
    PendingFuture<T> answer = connection.send(connection.caching(command, route, ttlNanos));
    answer.then((result, failure, callbacks) -> {
      writes.endReading();
      if (isWorthAsking(failure)) whole.follow(redis.start(command));
      else whole.end(result, failure, callbacks);
    });
  }

  private static boolean isWorthAsking(@Nullable RedisException failure) {
    return failure instanceof ServerErrorException
        || failure instanceof ConnectionLostException
        || failure instanceof ClientClosedException; // perhaps only the cache's connection
  }

  /** The number of replies served from the cache. */
  public long hits() {
    return hits.sum();
  }

  /** The number of cacheable commands that were sent to a server. */
  public long misses() {
    return misses.sum();
  }

  /** The number of cached replies. */
  public int size() {
    return replies.size();
  }

  /** Tells the number of cached replies, hits and misses. */
  @Override
  public String toString() {
    return "ReadCache[replies=" + size() + ", hits=" + hits() + ", misses=" + misses() + "]";
  }

  /** Makes its connections log in again; completes when all have, or fails. */
  CompletableFuture<?> logIn(EncodedCommand<?> auth) {
    return CompletableFuture.supplyAsync(() -> List.copyOf(connections.values()), loop)
        .thenCompose(all -> {
          List<CompletableFuture<?>> logins = new ArrayList<>();
          for (CacheConnection connection : all)
            logins.add(connection.logIn(auth).toCompletableFuture());
          return CompletableFuture.allOf(logins.toArray(new CompletableFuture<?>[0]));
        });
  }

  /** Closes the connections to servers that have left. On the loop. */
  void reconcile() {
    for (Node node : List.copyOf(connections.keySet())) {
      if (servers.has(node)) continue;
      CacheConnection connection = connections.remove(node);
      if (connection != null) connection.close();
    }
  }

  /** Closes the cache and its connections; the client stays open. */
  @Override
  public void close() {
    isClosed = true;
    redis.forget(this);
    try {
      loop.execute(() -> connections.values().forEach(CacheConnection::close));
    } catch (RejectedExecutionException e) {
      // the client is closed, and its connections with it
    }
  }
}
