package dev.kermes.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
public final class RedisClient implements AsyncSender, AutoCloseable {
  private final RedisOptions options;
  private final Connector connector;
  private final Link shared;
  private final CompletableFuture<RedisClient> firstConnection = new CompletableFuture<>();

  private RedisClient(RedisOptions options) {
    this.options = options;
    this.connector = new Connector(options);
    this.shared = new Link(options, connector, true, new SharedListener(), connector.deferred());
    shared.open();
  }

  private final class SharedListener implements Link.Listener {
    @Override
    public void onReady() {
      firstConnection.completeAsync(() -> RedisClient.this);
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

  /** Completes with this client when the first connection stands; never fails. */
  public CompletionStage<RedisClient> connected() {
    return firstConnection.copy();
  }

  /** The options it was opened with. */
  public RedisOptions options() {
    return options;
  }

  // ---- sending

  @Override
  public <T extends @Nullable Object> RedisFuture<T> send(Command<T> command) {
    CommandFuture<T> future = new CommandFuture<>(command);
    EncodeException failure = command.failure();
    if (failure != null) {
      future.fail(failure, null);
      return future;
    }
    shared.send(future, command.timeoutNanos());
    return future;
  }

  /**
   * Sends {@code commands} without a gap. The result has one element per command: its result, or
   * the {@link RedisException} that it alone failed with.
   */
  public RedisFuture<List<@Nullable Object>> sendAll(List<? extends Command<?>> commands) {
    BatchFuture future = new BatchFuture(new ArrayList<>(commands));
    if (future.isComplete()) {
      future.succeed(future.results(), null);
      return future;
    }
    shared.send(future, 0);
    return future;
  }

  /** Closes the connections and waits at most two seconds for the event loop to end. */
  @Override
  public void close() {
    shared.close();
    connector.close();
  }
}
