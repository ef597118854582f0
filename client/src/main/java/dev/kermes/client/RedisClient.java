package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 * A client of one server, shared by any number of threads: all of them write through one
 * connection, whose event loop sends what has gathered with one write.
 *
 * <pre>{@code
 * try (RedisClient redis = RedisClient.open("redis://localhost")) {
 *   redis.blocking().set("k", "v");
 *   redis.async().get("k").thenAccept(System.out::println);
 * }
 * }</pre>
 *
 * <p>Opening does not wait: commands queue until the connection stands, each up to its deadline.
 * Closing fails what is under way with {@link ClientClosedException}. Any thread.
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
  private final ConnectedFutures connected;
  private volatile boolean isClosed;

  private RedisClient(RedisOptions options) {
    this.options = options;
    this.connector = new Connector(options);
    this.observation = new CommandObservation(options.observer(), connector.lendable());
    this.async = async(Codec.utf8(), Codec.utf8());
    this.blocking = blocking(Codec.utf8(), Codec.utf8());
    this.pubSub = new PubSub(connector, new SubscriptionNodes());
    this.monitors = new PubSub(connector, new SubscriptionNodes());
    this.connected = new ConnectedFutures(this, connector);
    this.servers = Servers.open(options, connector, new ServerEvents());
  }

  /** The servers, which are made after what asks for them. */
  private final class SubscriptionNodes implements PubSub.TopicNodes {
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
    /** Subscriptions may have other homes now. */
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

  /** A client for a URL; see {@link RedisOptions#url}. */
  public static RedisClient open(String url) {
    return open(RedisOptions.url(url).build());
  }

  /** A client with these options. */
  public static RedisClient open(RedisOptions options) {
    return new RedisClient(options);
  }

  /**
   * Completes with this client when a connection stands, at once if one does. Fails when the server
   * refuses it, because of a wrong password or of TLS for instance, or when none stands within the
   * client's command timeout; without queueing while disconnected, at the first failure. The client
   * goes on trying all the same.
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
   * Sends {@code command}; one that may wait in the server goes on a connection of its own.
   *
   * @throws IllegalArgumentException for a command that changes its connection, such as WATCH
   */
  @Override
  public <T extends @Nullable Object> RedisFuture<T> send(Command<T> command) {
    CommandFuture<T> future = new CommandFuture<>(command);
    send(command, future);
    return future;
  }

  /** As {@link #send(Command)}, into {@code sink} instead of a future. */
  public <T extends @Nullable Object> SentCommand send(Command<T> command, ReplySink<T> sink) {
    SinkCommand<T> pending = new SinkCommand<>(command, sink);
    send(command, pending);
    return pending;
  }

  private void send(Command<?> command, PendingCommand pending) {
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
   * Sends {@code command} and waits; what it fails with is thrown. An interrupt cancels the command
   * and throws {@link CommandCancelledException}; the thread's interrupt flag stays set. Safe on
   * virtual threads.
   */
  @Override
  public <T extends @Nullable Object> T call(Command<T> command) {
    return send(command).joinThrowing();
  }

  /**
   * Sends {@code commands} without a gap. The result has one element per command: its result, or
   * the {@link RedisException} that it alone failed with. The batch as a whole has one deadline,
   * the longest of its commands' own or the client's. In a cluster each command goes to the server
   * of its keys, has its own deadline and is sent again by itself where that is needed; those for
   * one server are sent in their order.
   *
   * @throws IllegalArgumentException if one of them changes its connection
   */
  public RedisFuture<List<@Nullable Object>> sendAll(List<? extends Command<?>> commands) {
    for (Command<?> command : commands) Requests.checkShareable(command);
    return observation.observeAll("BATCH", () -> servers.sendAll(commands));
  }

  /**
   * Runs {@code commands} as one transaction, sent without a gap on the shared connection. It fails
   * as a whole when one of them cannot be encoded or is refused by the server before EXEC.
   *
   * @throws IllegalArgumentException if one of them changes its connection
   */
  public RedisFuture<TransactionResult> transaction(List<? extends Command<?>> commands) {
    for (Command<?> command : commands) Requests.checkShareable(command);
    RedisFuture<TransactionResult> failed = Requests.notEncodable(commands);
    if (failed != null) return failed;
    return observation.observeAll("TRANSACTION", () -> servers.transaction(commands));
  }

  /**
   * Borrows a connection for what needs one to itself, such as WATCH. To be closed by the borrower,
   * also when it is lost.
   */
  public CompletionStage<DedicatedConnection> dedicated() {
    return borrow(null);
  }

  /** As {@link #dedicated()}, to the server that has {@code key}, where there are several. */
  public CompletionStage<DedicatedConnection> dedicated(String key) {
    return borrow(key.getBytes(UTF_8));
  }

  private CompletionStage<DedicatedConnection> borrow(byte @Nullable [] key) {
    PoolWaiter waiter = new PoolWaiter();
    servers.borrow(key, waiter, pooled -> lend(pooled, waiter, null));
    return waiter.future();
  }

  /** As {@link #dedicated(String)}, from the server that {@code asked}, an ASK, names. */
  CompletionStage<DedicatedConnection> dedicated(RetryDecision.Ask ask, ServerErrorException asked) {
    PoolWaiter waiter = new PoolWaiter();
    servers.borrow(ask, waiter, pooled -> lend(pooled, waiter, asked));
    return waiter.future();
  }

  private void lend(
      DedicatedPool.PooledConnection pooled, PoolWaiter waiter, @Nullable ServerErrorException asked) {
    executor().execute(() -> waiter.succeed(new DedicatedConnection(pooled, observation, asked)));
  }

  /**
   * Runs a script: as EVALSHA, and as EVAL where it is not known yet. Keys and arguments are
   * Strings.
   */
  public <T extends @Nullable Object> RedisFuture<T> run(
      Script<T> script, List<String> keys, List<String> args) {
    return run(script, Codec.utf8(), keys, Codec.utf8(), args);
  }

  /** Runs a script: as EVALSHA, and as EVAL where it is not known yet. */
  public <T extends @Nullable Object, K, V> RedisFuture<T> run(
      Script<T> script, Codec<K> keyCodec, List<K> keys, Codec<V> codec, List<V> args) {
    Command<T> known = script.evalsha(keyCodec, keys, codec, args);
    CommandFuture<T> whole = new CommandFuture<>(known);
    RedisFuture<T> byHash = send(known);
    whole.cancelWith(byHash);
    byHash.then((result, failure, callbacks) -> {
      if (failure instanceof ServerErrorException error && error.code().equals("NOSCRIPT")) {
        whole.follow(send(script.eval(keyCodec, keys, codec, args)));
      } else {
        whole.end(result, failure, callbacks);
      }
    });
    return whole;
  }

  /**
   * Runs a transaction that depends on what it reads: watches {@code keys}, lets {@code body} read
   * on the connection and say what to do, and begins again when somebody else changed one of them
   * in between. After 100 times the result is one that is aborted. It also begins again, within the
   * client's command timeout, when nothing was executed because the keys have moved, a failover is
   * under way or the connection was lost before EXEC. In a cluster the keys must be in one slot.
   */
  public CompletionStage<TransactionResult> watch(
      List<String> keys, Function<DedicatedConnection, CompletionStage<List<Command<?>>>> body) {
    return new WatchLoop(this, servers, connector.loop(), keys, body).run();
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
   * A view that remembers replies until the server says that a key has changed.
   *
   * @param ttl how long at most
   * @param bytesMax how much is remembered, requests and replies; the oldest unread goes
   */
  public ReadCache cache(Duration ttl, long bytesMax) {
    ReadCache cache = new ReadCache(this, servers, connector, ttl, bytesMax);
    caches.add(cache);
    if (isClosed) cache.close(); // close() may not have seen it
    return cache;
  }

  /** {@code cache} is closed. */
  void forget(ReadCache cache) {
    caches.remove(cache);
  }

  /**
   * All elements of a SCAN, SSCAN, HSCAN or ZSCAN, as fast as one subscriber asks for them; over
   * all masters of a cluster for SCAN.
   *
   * <pre>{@code
   * redis.scan(cursor -> commands.scan(cursor, new ScanOptions().match("user:*")))
   * }</pre>
   *
   * @param step the command that goes on from a cursor
   */
  public <T> Flow.Publisher<T> scan(Function<String, Command<ScanPage<T>>> step) {
    return new PagePublisher<>(scanPages(step), () -> {}, executor());
  }

  /**
   * As {@link #scan}, page by page: each call asks for the next elements, at least one, none at the
   * end. To be asked again when the last page is there; not thread-safe.
   */
  public <T> Supplier<CompletionStage<List<T>>> scanPages(
      Function<String, Command<ScanPage<T>>> step) {
    return new ScanPages<>(servers, step);
  }

  /**
   * As {@link #scanPages}, in parts that may be gone through at the same time: one for each master
   * of a cluster when the keyspace is scanned, otherwise one.
   */
  public <T> CompletionStage<List<Supplier<CompletionStage<List<T>>>>> scanParts(
      Function<String, Command<ScanPage<T>>> step) {
    return ScanPages.parts(servers, step);
  }

  /**
   * The entries of a stream, those to come included, as fast as one subscriber asks for them. It
   * completes when this client is closed; when a connection is lost it goes on from the last entry.
   * In a group, which must exist, entries are to be acknowledged by XACK; those that were given to
   * this consumer before and were not come first. {@link #consume} does all that by itself. Each
   * such subscriber takes a connection of its own.
   */
  public <K, V> Flow.Publisher<StreamEntry<K, V>> entries(StreamRead<K, V> what) {
    StreamPages<K, V> pages = new StreamPages<>(this, what, executor(), connector.backoff());
    return new PagePublisher<>(pages, pages::cancel, executor());
  }

  /** As {@link #consume(StreamRead, Duration, StreamHandler)}, retrying after a minute. */
  public <K, V> StreamWorker consume(StreamRead<K, V> what, StreamHandler<K, V> handler) {
    return consume(what, Duration.ofMinutes(1), handler);
  }

  /**
   * Calls {@code handler} with the entries of a stream as a consumer of a group, one after the
   * other, on a virtual thread, and acknowledges those that it returns from normally. Creates group
   * and stream where they are missing, the group beginning after {@link StreamRead#after}.
   *
   * <p>An entry may be handled more than once. It comes again when its handler has thrown, which
   * the log tells, or when its consumer has gone, as soon as it has not been acknowledged for
   * {@code retryAfter}; any consumer of the group takes it then. So {@code retryAfter} is to be
   * longer than a page of entries takes ({@link StreamRead#pageMax}). What this consumer was given
   * in an earlier life comes first.
   *
   * @throws IllegalArgumentException if {@code what} names no group
   */
  public <K, V> StreamWorker consume(
      StreamRead<K, V> what, Duration retryAfter, StreamHandler<K, V> handler) {
    StreamConsumerLoop<K, V> loop = new StreamConsumerLoop<>(this, what, retryAfter, handler);
    return StreamWorker.start(loop);
  }

  // ---- listening

  /** Listens to {@code channels}. */
  public Subscription subscribe(String... channels) {
    return subscribe(List.of(channels), new SubscriptionOptions());
  }

  /** Listens to {@code channels}, with a buffer of {@code bufferMax} events. */
  public Subscription subscribe(List<String> channels, int bufferMax) {
    return subscribe(channels, SubscriptionOptions.ofBuffer(bufferMax));
  }

  /** Listens to {@code channels}. */
  public Subscription subscribe(List<String> channels, SubscriptionOptions how) {
    return pubSub.subscribe(Topic.Kind.CHANNEL, channels, how);
  }

  /** Listens to all channels that match one of {@code patterns}. */
  public Subscription psubscribe(String... patterns) {
    return psubscribe(List.of(patterns), new SubscriptionOptions());
  }

  /** Listens to all channels that match one of {@code patterns}. */
  public Subscription psubscribe(List<String> patterns, SubscriptionOptions how) {
    return pubSub.subscribe(Topic.Kind.PATTERN, patterns, how);
  }

  /** Listens to shard {@code channels}, which live where their slot is, and moves with them. */
  public Subscription ssubscribe(String... channels) {
    return ssubscribe(List.of(channels), new SubscriptionOptions());
  }

  /** Listens to shard {@code channels}, which live where their slot is, and moves with them. */
  public Subscription ssubscribe(List<String> channels, SubscriptionOptions how) {
    return pubSub.subscribe(Topic.Kind.SHARD, channels, how);
  }

  /**
   * Listens to all commands that the server executes, each a message as MONITOR words it; in a
   * cluster to those of one server. On a connection of its own.
   */
  public Subscription monitor(SubscriptionOptions how) {
    return monitors.subscribe(Topic.Kind.MONITOR, List.of("MONITOR"), how);
  }

  // ---- the rest

  /**
   * Logs in again with what the {@link CredentialsProvider} says now, on every shared connection
   * and on those of subscriptions and caches; idle dedicated ones are closed. In RESP2, where a
   * subscriber cannot log in, its connection is made anew. Fails with the first refusal.
   */
  public CompletionStage<Void> reauthenticate() {
    CredentialsProvider provider = options.credentials();
    if (provider == null) throw new IllegalStateException("no credentials provider");
    return provider.credentials().thenCompose(this::logIn);
  }

  private CompletionStage<Void> logIn(CredentialsProvider.Credentials credentials) {
    Command<?> auth = credentials.auth();
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

  private Executor executor() {
    return connector.executor();
  }

  boolean isClosed() {
    return isClosed;
  }

  Backoff backoff() {
    return connector.backoff();
  }

  /** The address and whether a connection stands. */
  @Override
  public String toString() {
    String state = isClosed ? "closed" : connected.isReady() ? "connected" : "connecting";
    return "RedisClient[" + options.addressText() + ", " + state + "]";
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
