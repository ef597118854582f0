package dev.kermes.client.internal.routing;

import dev.kermes.client.Command;
import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.DedicatedConnection;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.TransactionResult;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that depends on what it reads: WATCH, read, MULTI ... EXEC. It starts again after
 *
 * <pre>
 *   aborted          at once: another client has changed a watched key
 *   MOVED, ASK       at the server that has the keys now
 *   TRYAGAIN ...     a little later
 *   connection lost  a little later, unless EXEC was sent on it
 * </pre>
 *
 * <p>In all these cases nothing has been executed.
 */
public final class WatchLoop {
  /** Lends dedicated connections. Any thread. */
  public interface Lender {
    /** Lends one to the server that has {@code key}. */
    CompletionStage<DedicatedConnection> lend(String key);

    /** Lends one to the server that {@code asked}, an ASK, names. */
    CompletionStage<DedicatedConnection> lend(RetryDecision.Ask ask, ServerErrorException asked);
  }

  private static final int ABORTS_MAX = 100;
  private static final int ASKS_AT_ONCE_MAX = 5;

  private final Lender lender;
  private final RedisOptions options;
  private final Servers servers;
  private final EventLoop loop;
  private final List<String> keys;
  private final Function<DedicatedConnection, CompletionStage<List<Command<?>>>> body;
  private final CompletableFuture<TransactionResult> result = new CompletableFuture<>();
  private final long startNanos;
  private final long timeoutNanos;
  private int aborts;
  private int failures;

  public WatchLoop(
      Lender lender,
      RedisOptions options,
      Servers servers,
      EventLoop loop,
      List<String> keys,
      Function<DedicatedConnection, CompletionStage<List<Command<?>>>> body) {
    this.lender = lender;
    this.options = options;
    this.servers = servers;
    this.loop = loop;
    this.keys = List.copyOf(keys);
    this.body = body;
    this.timeoutNanos = options.commandTimeout().toNanos();
    this.startNanos = options.clock().getAsLong();
  }

  /** One attempt. */
  private final class Attempt {
    private @Nullable DedicatedConnection connection;
    private boolean isCommitted;

    void run(CompletionStage<DedicatedConnection> borrowed) {
      var unused =
          borrowed
              .thenCompose(this::watch)
              .whenComplete((outcome, failure) -> {
                if (connection != null) connection.close();
                if (failure != null) onFailure(this, cause(failure));
                else if (outcome.isAborted() && ++aborts < ABORTS_MAX) begin();
                else result.complete(outcome);
              });
    }

    private CompletionStage<TransactionResult> watch(DedicatedConnection lent) {
      connection = lent;
      return lent.send(Command.of("WATCH", keys.toArray(new String[0])))
          .thenCompose(ok -> body.apply(lent))
          .thenCompose(commands -> commit(lent, commands));
    }

    private CompletionStage<TransactionResult> commit(
        DedicatedConnection lent, List<Command<?>> commands) {
      if (result.isDone()) throw new CancellationException("cancelled by the caller");
      isCommitted = true;
      return lent.transaction(commands);
    }

    /** Whether nothing can have been executed, given {@code failure}. */
    boolean isUndone(RedisException failure) {
      return switch (failure) {
        case ConnectionLostException lost ->
            connection == null || (connection.isLost() && !(isCommitted && lost.mayHaveExecuted()));
        default -> true;
      };
    }
  }

  public CompletionStage<TransactionResult> run() {
    begin();
    return result;
  }

  private void begin() {
    new Attempt().run(lender.lend(keys.getFirst()));
  }

  private void onFailure(Attempt attempt, Throwable failure) {
    boolean isFollowed =
        failure instanceof RedisException known
            && attempt.isUndone(known)
            && servers.isTransient(known)
            && !result.isDone();
    if (!isFollowed) result.completeExceptionally(failure);
    else if (isLate()) result.completeExceptionally(late((RedisException) failure));
    else retryLater((RedisException) failure);
  }

  /** Starts again after a delay; an ASK is followed at once, because it is valid only now. */
  private void retryLater(RedisException failure) {
    boolean isAsk = failure instanceof ServerErrorException error && error.code().equals("ASK");
    long delayNanos =
        isAsk && failures < ASKS_AT_ONCE_MAX ? 0 : RetryQueue.delayNanos(failures + 1);
    failures++;
    try {
      var unused = loop.schedule(() -> follow(failure), delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(failure);
    }
  }

  private void follow(RedisException failure) {
    if (failure instanceof ServerErrorException error
        && RetryDecision.of(error, false, options.address()) instanceof RetryDecision.Ask ask) {
      new Attempt().run(lender.lend(ask, error));
    } else {
      begin();
    }
  }

  private boolean isLate() {
    return timeoutNanos != 0 && options.clock().getAsLong() - startNanos >= timeoutNanos;
  }

  private CommandTimeoutException late(RedisException last) {
    return new CommandTimeoutException(
        "no server took the transaction in time: watched="
            + keys
            + ", failures="
            + failures
            + ", last="
            + last.getMessage(),
        false,
        last);
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean isWrapped = failure instanceof CompletionException;
    return isWrapped && cause != null ? cause : failure;
  }
}
