package dev.kermes.client.internal.routing;

import dev.kermes.client.CommandBuilder;
import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.RedisException;
import dev.kermes.client.Replies;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.resp.ReplyReader;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A further attempt of a pending command that got no result. It is queued like a new command and
 * passes its reply to the first one; the deadline stays that of the first. Owned by the event loop.
 */
@SuppressWarnings("ReferenceEquality") // a node is its identity
public final class RetryAttempt extends PendingCommand {
  private static final EncodedCommand<String> ASKING =
      EncodedCommand.of(CommandBuilder.of("ASKING").build(Replies.ok()));

  private final PendingCommand first;
  private final RedisException cause;
  private final int attempt;
  private final boolean asks;
  private final LongSupplier clock;
  private final long endNanos;
  private final int losses;
  private boolean awaitsAsking;

  /** A server that was silent and may still be executing the command. */
  private @Nullable Node silent;

  private RetryAttempt(
      PendingCommand last, RedisException cause, boolean asks, LongSupplier clock) {
    RetryAttempt before = last instanceof RetryAttempt retry ? retry : null;
    this.first = before == null ? last : before.first;
    this.attempt = before == null ? 1 : before.attempt + 1;
    this.cause = cause;
    this.silent = before == null ? null : before.silent;
    this.losses = (before == null ? 0 : before.losses) + (mayHaveExecuted() ? 1 : 0);
    this.asks = asks;
    this.awaitsAsking = asks;
    this.clock = clock;
    this.endNanos = end(last, clock);
  }

  /**
   * The attempt after {@code last} failed with {@code cause}; {@code asks} sends ASKING first.
   *
   * @param clock the clock of deadlines
   */
  public static RetryAttempt of(
      PendingCommand last, RedisException cause, boolean asks, LongSupplier clock) {
    return new RetryAttempt(last, cause, asks, clock);
  }

  private static long end(PendingCommand last, LongSupplier clock) {
    if (last instanceof RetryAttempt retry) return retry.endNanos;
    if (last.timeoutNanos() == Long.MAX_VALUE) return Long.MAX_VALUE;
    long deadline = last.deadlineNanos();
    return deadline != 0 ? deadline : clock.getAsLong() + last.timeoutNanos();
  }

  /** Excludes {@code silent} as a target, unless that is null. */
  RetryAttempt excluding(@Nullable Node silent) {
    if (silent != null) this.silent = silent;
    return this;
  }

  /** Whether {@code node} is excluded as a target. */
  boolean excludes(Node node) {
    return node == silent;
  }

  /** 1 for the first repetition. */
  int attempt() {
    return attempt;
  }

  /** The number of attempts that were lost and may have been executed. */
  int losses() {
    return losses;
  }

  /** The one command that it repeats. */
  EncodedCommand<?> firstCommand() {
    return Objects.requireNonNull(first.command());
  }

  /**
   * The time until the deadline; zero or negative when it has passed, Long.MAX_VALUE if there is
   * none.
   */
  long leftNanos() {
    return endNanos == Long.MAX_VALUE ? Long.MAX_VALUE : endNanos - clock.getAsLong();
  }

  /** The failure when the deadline has passed before a server has answered. */
  CommandTimeoutException late() {
    return new CommandTimeoutException(
        "no server answered in time: "
            + first
            + ", attempts="
            + attempt
            + ", last="
            + cause.getMessage(),
        mayHaveExecuted(),
        cause);
  }

  private boolean mayHaveExecuted() {
    return cause instanceof ConnectionLostException lost && lost.mayHaveExecuted();
  }

  @Override
  public @Nullable EncodedCommand<?> command() {
    return awaitsAsking ? null : first.command();
  }

  @Override
  public void setClaim(@Nullable Claim claim) {
    super.setClaim(claim);
    first.setClaim(claim);
  }

  @Override
  public long serverWaitNanos() {
    return first.serverWaitNanos();
  }

  @Override
  public long ownTimeoutNanos() {
    return first.ownTimeoutNanos();
  }

  @Override
  public int permitCount() {
    return first.permitCount();
  }

  @Override
  public boolean mayWait() {
    return first.mayWait();
  }

  @Override
  public boolean isDone() {
    return first.isDone();
  }

  @Override
  public void writeTo(RequestOutput out) {
    if (asks) out.append(ASKING);
    first.writeTo(out);
  }

  @Override
  public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    if (awaitsAsking) {
      awaitsAsking = false;
      return false;
    }
    return first.onReply(in, callbacks);
  }

  @Override
  public int dropReplies() {
    int replies = first.dropReplies();
    return replies > 0 && awaitsAsking ? replies + 1 : replies;
  }

  @Override
  public void fail(RedisException failure, CallbackBatch callbacks) {
    first.fail(failure, callbacks);
  }

  @Override
  public void answer(@Nullable Object result, CallbackBatch callbacks) {
    first.answer(result, callbacks);
  }

  @Override
  public String toString() {
    return first.toString();
  }
}
