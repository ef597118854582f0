package dev.kermes.client;

import dev.kermes.client.internal.command.CommandTrait;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.client.internal.pending.CommandFuture;
import dev.kermes.client.internal.pending.CommandObservation;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.pending.TransactionFuture;
import dev.kermes.client.internal.pool.PooledConnection;
import dev.kermes.client.internal.routing.RetryAttempt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection that one borrower uses alone until {@link #close}, for WATCH and other commands that
 * change the state of their connection. It does not reconnect, since its state would be gone: once
 * it is lost, every command fails with {@link ConnectionLostException}. Any thread.
 */
public final class DedicatedConnection implements AsyncSender, AutoCloseable {
  private static final EncodedCommand<String> UNWATCH =
      EncodedCommand.of(CommandBuilder.of("UNWATCH").build(Replies.ok()));

  private final PooledConnection pooled;
  private final CommandObservation observation;
  private final @Nullable ServerErrorException asked;
  private boolean isWatching;
  private boolean isDirty;
  private boolean isClosed;

  /**
   * Wraps a borrowed connection.
   *
   * @param asked the ASK because of which ASKING must precede each command, or null
   */
  DedicatedConnection(
      PooledConnection pooled,
      CommandObservation observation,
      @Nullable ServerErrorException asked) {
    this.pooled = pooled;
    this.observation = observation;
    this.asked = asked;
  }

  /**
   * Sends {@code command}.
   *
   * @throws IllegalArgumentException for a command without exactly one reply, such as SUBSCRIBE
   */
  @Override
  public <T extends @Nullable Object> RedisFuture<T> send(Command<T> command) {
    EncodedCommand<T> encoded = EncodedCommand.of(command);
    Requests.checkAnswered(encoded);
    CommandFuture<T> future = new CommandFuture<>(encoded);
    EncodeException failure = encoded.failure();
    if (failure != null) {
      future.fail(failure, null);
      return future;
    }
    remember(encoded.name(), encoded.trait());
    pooled.send(encoded, asking(observation.observe(encoded, future)));
    return future;
  }

  /** Sends MULTI, {@code commands} and EXEC; the server aborts it if a watched key has changed. */
  public RedisFuture<TransactionResult> transaction(List<? extends Command<?>> commands) {
    List<EncodedCommand<?>> all = EncodedCommand.all(commands);
    PendingFuture<TransactionResult> failed = TransactionFuture.notEncodable(all);
    if (failed != null) return failed;
    remember("EXEC", CommandTrait.STATEFUL);
    for (EncodedCommand<?> command : all) remember(command.name(), command.trait());
    return observation.observeAll("TRANSACTION", () -> start(new ArrayList<>(all)));
  }

  private TransactionFuture start(List<EncodedCommand<?>> commands) {
    TransactionFuture future = new TransactionFuture(commands, pooled::learnFrom);
    pooled.connection().send(asking(future), Requests.timeoutNanos(commands));
    return future;
  }

  private PendingCommand asking(PendingCommand pending) {
    return asked == null ? pending : RetryAttempt.of(pending, asked, true, pooled.clock());
  }

  /** Whether the connection is gone. */
  public boolean isLost() {
    return pooled.isLost();
  }

  private synchronized void remember(String name, CommandTrait trait) {
    if (isClosed) throw new IllegalStateException("connection was given back");
    if (trait != CommandTrait.STATEFUL) return;
    switch (name) {
      case "WATCH" -> isWatching = true;
      case "UNWATCH", "EXEC" -> isWatching = false;
      default -> isDirty = true;
    }
  }

  /** The server and whether the connection is gone. */
  @Override
  public String toString() {
    return "DedicatedConnection[" + pooled.addressText() + (isLost() ? ", lost" : "") + "]";
  }

  /** Gives the connection back to the pool; closes it if its state cannot be reset. */
  @Override
  public synchronized void close() {
    if (isClosed) return;
    isClosed = true;
    if (isDirty) {
      pooled.discard();
      return;
    }
    if (isWatching) pooled.connection().send(new CommandFuture<>(UNWATCH), 0);
    pooled.giveBack();
  }
}
