package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.client.internal.connection.Backoff;
import dev.kermes.client.internal.connection.ConnectedFutures;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.Handshake;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.CommandFuture;
import dev.kermes.client.internal.pending.CommandObservation;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.pending.SinkCommand;
import dev.kermes.client.internal.pending.TransactionFuture;
import dev.kermes.client.internal.pool.PoolWaiter;
import dev.kermes.client.internal.pool.PooledConnection;
import dev.kermes.client.internal.pubsub.PubSub;
import dev.kermes.client.internal.routing.Node;
import dev.kermes.client.internal.routing.RetryDecision;
import dev.kermes.client.internal.routing.Servers;
import dev.kermes.client.internal.routing.Topic;
import dev.kermes.client.internal.routing.TopicNodes;
import dev.kermes.client.internal.routing.WatchLoop;
import dev.kermes.client.internal.scan.PagePublisher;
import dev.kermes.client.internal.scan.ScanPages;
import dev.kermes.client.internal.stream.StreamClient;
import dev.kermes.client.internal.stream.StreamConsumerLoop;
import dev.kermes.client.internal.stream.StreamPages;
import dev.kermes.client.reply.ScanPage;
import dev.kermes.client.reply.StreamEntry;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Redis client, shared by any number of threads. All of them send through one connection per
 * server, whose event loop sends the queued commands with one write.
 *
 * <pre>{@code
 * try (RedisClient redis = RedisClient.open("redis://localhost")) {
 *   redis.blocking().set("k", "v");
 *   redis.async().get("k").thenAccept(System.out::println);
 * }
 * }</pre>
 *
 * <p>Opening does not wait: commands queue until the connection is ready, each up to its deadline.
 * Closing fails the commands under way with {@link ClientClosedException}. Any thread.
 */
public final class RedisClient implements AsyncSender, BlockingSender, AutoCloseable {
  private final RedisOptions options;
  private final Connector connector;
  private final CommandObservation observation;
  private final Servers servers;
  private final PubSub pubSub;
  private final PubSub monitors;
  private final List<ReadCache> caches = new CopyOnWriteArrayList<>();
  private final AsyncCommands<String, String> async;
  private final BlockingCommands<String, String> blocking;
  private final ConnectedFutures<RedisClient> connected;
  private volatile boolean isClosed;

  private RedisClient(RedisOptions options) {
    this.options = options;
    this.connector = new Connector(options);
    this.observation = new CommandObservation(options.observer(), connector.lendable());
    this.async = async(Codec.utf8(), Codec.utf8());
    this.blocking = blocking(Codec.utf8(), Codec.utf8());
    this.pubSub = new PubSub(connector, new SubscriptionNodes());
    this.monitors = new PubSub(connector, new SubscriptionNodes());
    this.connected = new ConnectedFutures<>(this, options, connector);
    this.servers = Servers.open(options, connector, new ServerEvents());
  }

  /** Defers to the servers, which are created after the subscriptions. */
  private final class SubscriptionNodes implements TopicNodes {
    @Override
    public @Nullable Node nodeFor(Topic topic, @Nullable Node current) {
      return servers.nodeFor(topic, current);
    }

    @Override
    public void refresh() {
      servers.refresh();
    }
  }

  private final class ServerEvents implements Servers.Events {
    /** Subscriptions may belong to other nodes now. */
    @Override
    public void onReady() {
      pubSub.reconcile();
      monitors.reconcile();
      for (ReadCache cache : caches) cache.reconcile();
      connected.onReady();
    }

    @Override
    public void onDown(RedisException cause) {
      connected.onDown(cause);
    }
  }

  /** The view for readers of streams. */
  private final class Streams implements StreamClient {
    @Override
    public <T extends @Nullable Object> PendingFuture<T> send(Command<T> command) {
      return start(command);
    }

    @Override
    public boolean isClosed() {
      return isClosed;
    }

    @Override
    public Backoff backoff() {
      return connector.backoff();
    }

    @Override
    public Executor executor() {
      return connector.executor();
    }
  }

  /** The view for transactions that depend on what they read. */
  private final class Lending implements WatchLoop.Lender {
    @Override
    public CompletionStage<DedicatedConnection> lend(String key) {
      return dedicated(key);
    }

    @Override
    public CompletionStage<DedicatedConnection> lend(
        RetryDecision.Ask ask, ServerErrorException asked) {
      PoolWaiter waiter = new PoolWaiter();
      servers.borrow(ask, waiter, pooled -> RedisClient.this.lend(pooled, waiter, asked));
      return waiter.future();
    }
  }

  /** Opens a client for a URL; see {@link RedisOptions#url}. */
  public static RedisClient open(String url) {
    return open(RedisOptions.url(url).build());
  }

  /** Opens a client with these options. */
  public static RedisClient open(RedisOptions options) {
    return new RedisClient(options);
  }

  /**
   * Completes with this client when a connection is ready, immediately if one already is. Fails if
   * the server refuses the connection, for example because of a wrong password or TLS, or if none
   * is ready within the client's command timeout; if the client does not queue while disconnected,
   * at the first failure. The client keeps trying in any case.
   */
  public CompletionStage<RedisClient> connected() {
    return connected.future();
  }

  /** The options it was opened with. */
  public RedisOptions options() {
    return options;
  }

  // ---- sending

  /**
   * Sends {@code command}; a command that may wait in the server gets a connection of its own.
   *
   * @throws IllegalArgumentException for a command that changes its connection, such as WATCH
   */
  @Override
  public <T extends @Nullable Object> RedisFuture<T> send(Command<T> command) {
    return start(command);
  }

  /** Sends {@code command}; for the client's own continuations. */
  <T extends @Nullable Object> CommandFuture<T> start(Command<T> command) {
    EncodedCommand<T> encoded = EncodedCommand.of(command);
    CommandFuture<T> future = new CommandFuture<>(encoded);
    send(encoded, future);
    return future;
  }

  /** Like {@link #send(Command)}, with {@code sink} instead of a future. */
  public <T extends @Nullable Object> SentCommand send(Command<T> command, ReplySink<T> sink) {
    EncodedCommand<T> encoded = EncodedCommand.of(command);
    SinkCommand<T> pending = new SinkCommand<>(encoded, sink);
    send(encoded, pending);
    return pending;
  }

  private void send(EncodedCommand<?> command, PendingCommand pending) {
    EncodeException failure = command.failure();
    if (failure == null) {
      Requests.checkShareable(command);
      servers.send(command, observation.observe(command, pending));
      return;
    }
    CallbackBatch own = connector.callbacks();
    pending.fail(failure, own);
    own.dispatch();
  }

  /**
   * Sends {@code command}, waits, and throws its failure. An interrupt cancels the command and
   * throws {@link CommandCancelledException}; the thread's interrupt flag stays set. Safe on
   * virtual threads.
   */
  @Override
  public <T extends @Nullable Object> T call(Command<T> command) {
    return start(command).joinThrowing();
  }

  /**
   * Sends {@code commands} without other commands in between. The result has one element per
   * command: its result, or the {@link RedisException} that it failed with. The batch as a whole
   * has one deadline, the longest of its commands' own or the client's. In a cluster each command
   * goes to the server of its keys, has its own deadline, and is retried separately; commands for
   * the same server are sent in order.
   *
   * @throws IllegalArgumentException if one of them changes its connection
   */
  public RedisFuture<List<@Nullable Object>> sendAll(List<? extends Command<?>> commands) {
    List<EncodedCommand<?>> all = EncodedCommand.all(commands);
    for (EncodedCommand<?> command : all) Requests.checkShareable(command);
    return observation.observeAll("BATCH", () -> servers.sendAll(all));
  }

  /**
   * Runs {@code commands} as one transaction, sent without other commands in between on the shared
   * connection. It fails as a whole if one of them cannot be encoded or is refused by the server
   * before EXEC.
   *
   * @throws IllegalArgumentException if one of them changes its connection
   */
  public RedisFuture<TransactionResult> transaction(List<? extends Command<?>> commands) {
    List<EncodedCommand<?>> all = EncodedCommand.all(commands);
    for (EncodedCommand<?> command : all) Requests.checkShareable(command);
    PendingFuture<TransactionResult> failed = TransactionFuture.notEncodable(all);
    if (failed != null) return failed;
    return observation.observeAll("TRANSACTION", () -> servers.transaction(all));
  }

  /**
   * Borrows a connection for commands that need one to themselves, such as WATCH. The borrower must
   * close it, even if it is lost.
   */
  public CompletionStage<DedicatedConnection> dedicated() {
    return borrow(null);
  }

  /** Like {@link #dedicated()}, to the server that has {@code key}, if there are several. */
  public CompletionStage<DedicatedConnection> dedicated(String key) {
    return borrow(key.getBytes(UTF_8));
  }

  private CompletionStage<DedicatedConnection> borrow(byte @Nullable [] key) {
    PoolWaiter waiter = new PoolWaiter();
    servers.borrow(key, waiter, pooled -> lend(pooled, waiter, null));
    return waiter.future();
  }

  private void lend(
      PooledConnection pooled, PoolWaiter waiter, @Nullable ServerErrorException asked) {
    executor().execute(() -> waiter.succeed(new DedicatedConnection(pooled, observation, asked)));
  }

  /**
   * Runs a script: with EVALSHA, or with EVAL if the server does not know it yet. Keys and
   * arguments are Strings.
   */
  public <T extends @Nullable Object> RedisFuture<T> run(
      Script<T> script, List<String> keys, List<String> args) {
    return run(script, Codec.utf8(), keys, Codec.utf8(), args);
  }

  /** Runs a script: with EVALSHA, or with EVAL if the server does not know it yet. */
  public <T extends @Nullable Object, K, V> RedisFuture<T> run(
      Script<T> script, Codec<K> keyCodec, List<K> keys, Codec<V> codec, List<V> args) {
    EncodedCommand<T> known = EncodedCommand.of(script.evalsha(keyCodec, keys, codec, args));
    CommandFuture<T> whole = new CommandFuture<>(known);
    CommandFuture<T> byHash = start(known);
    whole.cancelWith(byHash);
    byHash.then((result, failure, callbacks) -> {
      if (failure instanceof ServerErrorException error && error.code().equals("NOSCRIPT")) {
        whole.follow(start(script.eval(keyCodec, keys, codec, args)));
      } else {
        whole.end(result, failure, callbacks);
      }
    });
    return whole;
  }

  /**
   * Runs a transaction that depends on what it reads. It watches {@code keys}, lets {@code body}
   * read on the connection and return the commands to execute, and starts again if another client
   * has changed one of the keys in between. After 100 such attempts the result is an aborted
   * transaction. It also starts again, within the client's command timeout, if nothing was executed
   * because the keys have moved, a failover is under way or the connection was lost before EXEC. In
   * a cluster the keys must be in one slot.
   */
  public CompletionStage<TransactionResult> watch(
      List<String> keys, Function<DedicatedConnection, CompletionStage<List<Command<?>>>> body) {
    return new WatchLoop(new Lending(), options, servers, connector.loop(), keys, body).run();
  }

  // ---- views

  /** Every command as a method that returns a future; keys and values are Strings. */
  public AsyncCommands<String, String> async() {
    return async;
  }

  /** Every command as a method that returns a future. */
  public <K, V> AsyncCommands<K, V> async(Codec<K> keys, Codec<V> values) {
    return new AsyncCommands<>(new Commands<>(keys, values), this);
  }

  /** Every command as a method that waits; keys and values are Strings. For virtual threads. */
  public BlockingCommands<String, String> blocking() {
    return blocking;
  }

  /** Every command as a method that waits. */
  public <K, V> BlockingCommands<K, V> blocking(Codec<K> keys, Codec<V> values) {
    return new BlockingCommands<>(new Commands<>(keys, values), this);
  }

  /**
   * A view that caches replies until the server announces that a key has changed.
   *
   * @param ttl the maximum age of a cached reply
   * @param bytesMax the size of the cache, requests and replies; the oldest unread entry is evicted
   */
  public ReadCache cache(Duration ttl, long bytesMax) {
    ReadCache cache = new ReadCache(this, servers, connector, ttl, bytesMax);
    caches.add(cache);
    if (isClosed) cache.close(); // close() may not have seen it
    return cache;
  }

  /** Removes {@code cache}, which is closed. */
  void forget(ReadCache cache) {
    caches.remove(cache);
  }

  /**
   * All elements of a SCAN, SSCAN, HSCAN or ZSCAN, at the rate of one subscriber's requests. SCAN
   * covers all masters of a cluster.
   *
   * <pre>{@code
   * redis.scan(cursor -> commands.scan(cursor, new ScanOptions().match("user:*")))
   * }</pre>
   *
   * @param step makes the command that continues from a cursor
   */
  public <T> Flow.Publisher<T> scan(Function<String, Command<ScanPage<T>>> step) {
    return new PagePublisher<>(scanPages(step), () -> {}, executor());
  }

  /**
   * Like {@link #scan}, page by page: each call requests the next elements, at least one, or none
   * at the end. Call it again only when the previous page has arrived; not thread-safe.
   */
  public <T> Supplier<CompletionStage<List<T>>> scanPages(
      Function<String, Command<ScanPage<T>>> step) {
    return new ScanPages<>(servers, step);
  }

  /**
   * Like {@link #scanPages}, in parts that can be scanned concurrently: one for each master of a
   * cluster if the keyspace is scanned, otherwise one.
   */
  public <T> CompletionStage<List<Supplier<CompletionStage<List<T>>>>> scanParts(
      Function<String, Command<ScanPage<T>>> step) {
    return ScanPages.parts(servers, step);
  }

  /**
   * The existing and future entries of a stream, at the rate of one subscriber's requests. The
   * publisher completes when this client is closed; after a lost connection it continues from the
   * last entry, or from the stream's last entry if a FLUSHALL or a failover took some. In a group,
   * which must exist, the subscriber must acknowledge entries by XACK; entries that this consumer
   * was given earlier and has not acknowledged come first. A group that disappears later is created
   * anew at the beginning of the stream, so entries may come again. {@link #consume} does all this
   * automatically. Each subscriber uses a connection of its own.
   */
  public <K, V> Flow.Publisher<StreamEntry<K, V>> entries(StreamRead<K, V> what) {
    StreamPages<K, V> pages = new StreamPages<>(new Streams(), what);
    return new PagePublisher<>(pages, pages::cancel, executor());
  }

  /** Like {@link #consume(StreamRead, Duration, StreamHandler)}, retrying after a minute. */
  public <K, V> StreamWorker consume(StreamRead<K, V> what, StreamHandler<K, V> handler) {
    return consume(what, Duration.ofMinutes(1), handler);
  }

  /**
   * Calls {@code handler} with the entries of a stream as a consumer of a group, one after the
   * other, on a virtual thread, and acknowledges an entry when the handler returns normally.
   * Creates the group and the stream if they do not exist; the group begins after {@link
   * StreamRead#after}.
   *
   * <p>An entry may be handled more than once. An entry that has not been acknowledged for {@code
   * retryAfter}, because its handler threw (which is logged) or its consumer has gone, is given to
   * any consumer of the group again. So {@code retryAfter} must be longer than the handling of a
   * page of entries ({@link StreamRead#pageMax}). Entries that this consumer was given before a
   * restart come first.
   *
   * @throws IllegalArgumentException if {@code what} names no group
   */
  public <K, V> StreamWorker consume(
      StreamRead<K, V> what, Duration retryAfter, StreamHandler<K, V> handler) {
    StreamConsumerLoop<K, V> loop =
        new StreamConsumerLoop<>(new Streams(), what, retryAfter, handler);
    return StreamWorker.start(loop);
  }

  // ---- subscriptions

  /** Subscribes to {@code channels}. */
  public Subscription subscribe(String... channels) {
    return subscribe(List.of(channels), new SubscriptionOptions());
  }

  /** Subscribes to {@code channels}, with a buffer of {@code bufferMax} events. */
  public Subscription subscribe(List<String> channels, int bufferMax) {
    return subscribe(channels, SubscriptionOptions.ofBuffer(bufferMax));
  }

  /** Subscribes to {@code channels}. */
  public Subscription subscribe(List<String> channels, SubscriptionOptions how) {
    return pubSub.subscribe(Topic.Kind.CHANNEL, channels, how);
  }

  /** Subscribes to all channels that match one of {@code patterns}. */
  public Subscription psubscribe(String... patterns) {
    return psubscribe(List.of(patterns), new SubscriptionOptions());
  }

  /** Subscribes to all channels that match one of {@code patterns}. */
  public Subscription psubscribe(List<String> patterns, SubscriptionOptions how) {
    return pubSub.subscribe(Topic.Kind.PATTERN, patterns, how);
  }

  /**
   * Subscribes to shard {@code channels} at the server of their slot, and follows them when the
   * slot moves.
   */
  public Subscription ssubscribe(String... channels) {
    return ssubscribe(List.of(channels), new SubscriptionOptions());
  }

  /**
   * Subscribes to shard {@code channels} at the server of their slot, and follows them when the
   * slot moves.
   */
  public Subscription ssubscribe(List<String> channels, SubscriptionOptions how) {
    return pubSub.subscribe(Topic.Kind.SHARD, channels, how);
  }

  /**
   * Receives all commands that the server executes, each as a message in MONITOR's format; in a
   * cluster those of one server. Uses a connection of its own.
   */
  public Subscription monitor(SubscriptionOptions how) {
    return monitors.subscribe(Topic.Kind.MONITOR, List.of("MONITOR"), how);
  }

  // ---- login, state and closing

  /**
   * Logs in again with the current credentials of the {@link CredentialsProvider}, on every shared
   * connection and on those of subscriptions and caches; idle dedicated connections are closed. In
   * RESP2, where a subscribed connection cannot log in, it is replaced. Fails with the first
   * refusal.
   */
  public CompletionStage<Void> reauthenticate() {
    CredentialsProvider provider = options.credentials();
    if (provider == null) throw new IllegalStateException("no credentials provider");
    return provider.credentials().thenCompose(this::logIn);
  }

  private CompletionStage<Void> logIn(CredentialsProvider.Credentials credentials) {
    EncodedCommand<?> auth = Handshake.auth(credentials);
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (Node node : servers.nodes()) {
      CommandFuture<?> login = new CommandFuture<>(auth);
      node.connection().send(login, 0);
      all.add(login.toCompletableFuture());
      connector.loop().execute(node.blocking()::closeIdle);
      connector.loop().execute(node.dedicated()::closeIdle);
    }
    for (ReadCache cache : caches) all.add(cache.logIn(auth));
    all.add(pubSub.logIn(auth));
    all.add(monitors.logIn(auth));
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }

  /**
   * The addresses of the masters that are known, which together hold all keys: those of a cluster,
   * or the only one; empty until the servers have told. Asks no server. Any thread.
   */
  public List<SocketAddress> masters() {
    return servers.masters().stream().map(Node::address).toList();
  }

  private Executor executor() {
    return connector.executor();
  }

  /** Tells the address and whether a connection is ready. */
  @Override
  public String toString() {
    String state = isClosed ? "closed" : connected.isReady() ? "connected" : "connecting";
    return "RedisClient[" + AddressText.of(options.address()) + ", " + state + "]";
  }

  /** Closes the connections and waits at most two seconds for the event loop to end. */
  @Override
  public void close() {
    isClosed = true;
    connected.close();
    pubSub.close();
    monitors.close();
    for (ReadCache cache : caches) cache.close();
    servers.close();
  }
}
