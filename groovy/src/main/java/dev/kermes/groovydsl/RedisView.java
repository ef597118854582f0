package dev.kermes.groovydsl;

import dev.kermes.client.Codec;
import dev.kermes.client.Command;
import dev.kermes.client.Commands;
import dev.kermes.client.DedicatedConnection;
import dev.kermes.client.HscanOptions;
import dev.kermes.client.RedisClient;
import dev.kermes.client.ScanOptions;
import dev.kermes.client.Script;
import dev.kermes.client.SscanOptions;
import dev.kermes.client.StreamRead;
import dev.kermes.client.StreamWorker;
import dev.kermes.client.Subscription;
import dev.kermes.client.SubscriptionOptions;
import dev.kermes.client.TransactionResult;
import dev.kermes.client.ZscanOptions;
import dev.kermes.client.reply.ScanPage;
import dev.kermes.client.reply.ScoredValue;
import groovy.lang.Closure;
import groovy.lang.DelegatesTo;
import groovy.transform.stc.ClosureParams;
import groovy.transform.stc.FromString;
import groovy.transform.stc.SimpleType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A view of a client with keys and values of these types in replies.
 *
 * @param <K> type of keys, and of the fields of hashes and streams
 * @param <V> type of values, elements and members
 */
public class RedisView<K, V> extends BlockingCommands<K, V> {
  /** Runs closures that block for replies, each on its own virtual thread. */
  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

  private final RedisClient client;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final Commands<K, V> commands;

  RedisView(RedisClient client, Codec<K> keys, Codec<V> values) {
    this(
        client,
        ObjectCodec.of(keys),
        ObjectCodec.of(values),
        new Commands<>(ObjectCodec.of(keys), ObjectCodec.of(values)));
  }

  private RedisView(RedisClient client, Codec<K> keys, Codec<V> values, Commands<K, V> commands) {
    super(commands, client);
    this.client = client;
    this.keys = keys;
    this.values = values;
    this.commands = commands;
  }

  /** The Java client. */
  public RedisClient underlying() {
    return client;
  }

  /** The same commands, which return stages instead of blocking. */
  public AsyncCommands<K, V> getAsync() {
    return new AsyncCommands<>(commands, client);
  }

  /** Sends a command, such as {@code Command.of('OBJECT', 'HELP')}, and blocks for its reply. */
  public <T extends @Nullable Object> T send(Command<T> command) {
    return client.call(command);
  }

  // ---- batches and transactions

  /**
   * Sends the commands that the closure calls together, after it has returned; inside the closure
   * they return stages. The result has one element per command: its result, or the {@link
   * dev.kermes.client.RedisException} with which this command failed.
   */
  public List<@Nullable Object> batch(
      @DelegatesTo(
              type = "dev.kermes.groovydsl.AsyncCommands<K,V>",
              strategy = Closure.DELEGATE_FIRST)
          @ClosureParams(
              value = FromString.class,
              options = "dev.kermes.groovydsl.AsyncCommands<K,V>")
          Closure<?> body) {
    Recording recording = record(body);
    List<@Nullable Object> replies = Await.result(client.sendAll(recording.commands()));
    recording.deliver(replies);
    return replies;
  }

  /**
   * Runs the commands that the closure calls as one transaction, after it has returned; inside the
   * closure they return stages. The whole transaction fails if one of them cannot be encoded or is
   * refused by the server before EXEC.
   */
  public TransactionResult transaction(
      @DelegatesTo(
              type = "dev.kermes.groovydsl.AsyncCommands<K,V>",
              strategy = Closure.DELEGATE_FIRST)
          @ClosureParams(
              value = FromString.class,
              options = "dev.kermes.groovydsl.AsyncCommands<K,V>")
          Closure<?> body) {
    Recording recording = record(body);
    TransactionResult result = Await.result(client.transaction(recording.commands()));
    recording.deliver(result.replies());
    return result;
  }

  private Recording record(Closure<?> body) {
    Recording recording = new Recording();
    Closures.on(new AsyncCommands<>(commands, recording), body);
    return recording;
  }

  /**
   * Runs a transaction that depends on values it reads: watches {@code keys}, one or a list, and
   * calls the closure with the commands on that connection and with those of the transaction.
   * Repeats this if another client changed one of the keys in between; after 100 attempts the
   * result is an aborted one. In a cluster the keys must be in one slot.
   */
  public TransactionResult watch(
      Object keys,
      @ClosureParams(
              value = FromString.class,
              options =
                  "dev.kermes.groovydsl.BlockingCommands<K,V>,dev.kermes.groovydsl.AsyncCommands<K,V>")
          Closure<?> body) {
    List<String> names = Arguments.texts(keys instanceof Collection<?> all ? all : List.of(keys));
    return Await.result(
        client.watch(
            names,
            connection ->
                CompletableFuture.supplyAsync(() -> readAndDecide(connection, body), THREADS)));
  }

  private List<Command<?>> readAndDecide(DedicatedConnection connection, Closure<?> body) {
    Recording recording = new Recording();
    body.call(dedicatedTo(connection), new AsyncCommands<>(commands, recording));
    return recording.commands();
  }

  private DedicatedCommands<K, V> dedicatedTo(DedicatedConnection connection) {
    return new DedicatedCommands<>(commands, connection);
  }

  /**
   * Lends the closure a connection for exclusive use, for commands that change the state of their
   * connection.
   */
  public <T extends @Nullable Object> T dedicated(
      @DelegatesTo(
              type = "dev.kermes.groovydsl.DedicatedCommands<K,V>",
              strategy = Closure.DELEGATE_FIRST)
          @ClosureParams(
              value = FromString.class,
              options = "dev.kermes.groovydsl.DedicatedCommands<K,V>")
          Closure<T> body) {
    try (DedicatedConnection connection = Await.result(client.dedicated())) {
      return Closures.on(dedicatedTo(connection), body);
    }
  }

  /** Runs a script by EVALSHA, and by EVAL if the server does not have it yet. */
  public <T extends @Nullable Object> T run(
      Script<T> script, Collection<?> keys, Collection<?> args) {
    return Await.result(
        client.run(script, this.keys, Arguments.list(keys), values, Arguments.list(args)));
  }

  /**
   * The commands, whose replies are cached until the server reports that a key has changed.
   *
   * @param ttl the longest time that a reply is cached
   * @param bytesMax the size of the cache, requests and replies; the least recently read entry is
   *     evicted
   */
  public CachedCommands<K, V> cache(Duration ttl, long bytesMax) {
    return new CachedCommands<>(commands, client.cache(ttl, bytesMax));
  }

  // ---- scans

  /** All keys, requested as fast as they are read; in a cluster, of all masters. */
  public Iterable<K> scan() {
    return scan(Map.of());
  }

  /** All keys, requested as fast as they are read; in a cluster, of all masters. */
  public Iterable<K> scan(Map<String, ?> options) {
    ScanOptions how = NamedOptions.fill(new ScanOptions(), options);
    return scanning(cursor -> commands.scan(cursor, how));
  }

  /** All fields of a hash with their values, requested as fast as they are read. */
  public Iterable<Map.Entry<K, V>> hscan(Object key) {
    return hscan(Map.of(), key);
  }

  /** All fields of a hash with their values, requested as fast as they are read. */
  public Iterable<Map.Entry<K, V>> hscan(Map<String, ?> options, Object key) {
    HscanOptions how = NamedOptions.fill(new HscanOptions(), options);
    return scanning(cursor -> commands.hscan(Arguments.any(key), cursor, how));
  }

  /** All members of a set, requested as fast as they are read. */
  public Iterable<V> sscan(Object key) {
    return sscan(Map.of(), key);
  }

  /** All members of a set, requested as fast as they are read. */
  public Iterable<V> sscan(Map<String, ?> options, Object key) {
    SscanOptions how = NamedOptions.fill(new SscanOptions(), options);
    return scanning(cursor -> commands.sscan(Arguments.any(key), cursor, how));
  }

  /** All members of a sorted set with their scores, requested as fast as they are read. */
  public Iterable<ScoredValue<V>> zscan(Object key) {
    return zscan(Map.of(), key);
  }

  /** All members of a sorted set with their scores, requested as fast as they are read. */
  public Iterable<ScoredValue<V>> zscan(Map<String, ?> options, Object key) {
    ZscanOptions how = NamedOptions.fill(new ZscanOptions(), options);
    return scanning(cursor -> commands.zscan(Arguments.any(key), cursor, how));
  }

  private <T> Iterable<T> scanning(Function<String, Command<ScanPage<T>>> step) {
    return () -> new PageIterator<>(client.scanPages(step));
  }

  // ---- streams and subscriptions

  /**
   * Calls the closure with each entry of a stream, including future ones. Options: {@code after},
   * the id after which to begin; {@code group} and {@code consumer}; {@code pageMax}, the most
   * entries per page. After the loss of a connection it continues behind the last entry.
   */
  public Listening entries(
      Map<String, ?> how,
      Object key,
      @ClosureParams(value = FromString.class, options = "dev.kermes.client.reply.StreamEntry<K,V>")
          Closure<?> body) {
    return Listening.to(client.entries(reading(how, key)), body);
  }

  private StreamRead<K, V> reading(Map<String, ?> how, Object key) {
    StreamRead<K, V> read = StreamRead.of(keys, values, Arguments.any(key));
    Object after = how.get("after");
    Object group = how.get("group");
    Object consumer = how.get("consumer");
    Object pageMax = how.get("pageMax");
    if (after != null) read = read.after(Arguments.text(after));
    if (group != null && consumer != null) {
      read = read.as(Arguments.text(group), Arguments.text(consumer));
    }
    if (pageMax != null) read = read.pageMax(Arguments.number(pageMax).intValue());
    return read;
  }

  /** Calls the closure with each entry of a stream from the beginning, including future ones. */
  public Listening entries(
      Object key,
      @ClosureParams(value = FromString.class, options = "dev.kermes.client.reply.StreamEntry<K,V>")
          Closure<?> body) {
    return entries(Map.of(), key, body);
  }

  /**
   * Calls the closure with the entries of a stream as a {@code consumer} of a {@code group}, one at
   * a time, and acknowledges an entry when the closure returns normally. Creates group and stream
   * if they do not exist; {@code after} is the id after which a new group begins, {@code pageMax}
   * the most entries per page. An entry is delivered again after {@code retryAfter}, a Duration,
   * one minute by default, without acknowledgement: if the closure throws, which is logged, or if
   * its consumer is gone.
   */
  public StreamWorker consume(
      Map<String, ?> how,
      Object key,
      @ClosureParams(value = FromString.class, options = "dev.kermes.client.reply.StreamEntry<K,V>")
          Closure<?> body) {
    Object given = how.get("retryAfter");
    Duration retryAfter = given == null ? Duration.ofMinutes(1) : (Duration) given;
    return client.consume(reading(how, key), retryAfter, body::call);
  }

  /** Calls the closure with each event on {@code channels}, one or a list. */
  public Listening subscribe(
      Object channels,
      @ClosureParams(value = SimpleType.class, options = "dev.kermes.client.SubscriptionEvent")
          Closure<?> body) {
    return listen(client.subscribe(Arguments.names(channels), new SubscriptionOptions()), body);
  }

  /**
   * Calls the closure with each event on the channels that match {@code patterns}, one or a list.
   */
  public Listening psubscribe(
      Object patterns,
      @ClosureParams(value = SimpleType.class, options = "dev.kermes.client.SubscriptionEvent")
          Closure<?> body) {
    return listen(client.psubscribe(Arguments.names(patterns), new SubscriptionOptions()), body);
  }

  /** Calls the closure with each event on shard {@code channels}, one or a list. */
  public Listening ssubscribe(
      Object channels,
      @ClosureParams(value = SimpleType.class, options = "dev.kermes.client.SubscriptionEvent")
          Closure<?> body) {
    return listen(client.ssubscribe(Arguments.names(channels), new SubscriptionOptions()), body);
  }

  /** Calls the closure with each command that the server executes, in the format of MONITOR. */
  public Listening monitor(
      @ClosureParams(value = SimpleType.class, options = "dev.kermes.client.SubscriptionEvent")
          Closure<?> body) {
    return listen(client.monitor(new SubscriptionOptions()), body);
  }

  /** Subscribes a closure, and blocks until the server has confirmed every channel. */
  private static Listening listen(Subscription subscription, Closure<?> body) {
    Listening listening = Listening.to(subscription.publisher(), body);
    try {
      Await.result(subscription.confirmed());
    } catch (RuntimeException e) {
      listening.close();
      throw e;
    }
    return listening;
  }
}
