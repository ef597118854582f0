package dev.kermes.client.internal.routing;

import static java.util.Objects.requireNonNull;

import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.TransactionFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction at the server that has its keys. Until its deadline it is tried again if it was
 * refused before EXEC and therefore not executed. Any thread, one at a time.
 */
final class RoutedTransaction {
  private final RoutedServers servers;
  private final List<EncodedCommand<?>> commands;
  private final int slot;
  private final TransactionFuture whole;
  private final long timeoutNanos;
  private final LongSupplier clock;
  private final long startNanos;
  private int attempt;

  /**
   * Creates a transaction.
   *
   * @param timeoutNanos 0 for none
   * @param clock the clock of deadlines
   */
  RoutedTransaction(
      RoutedServers servers,
      List<EncodedCommand<?>> commands,
      int slot,
      long timeoutNanos,
      LongSupplier clock) {
    this.servers = servers;
    this.commands = new ArrayList<>(commands);
    this.slot = slot;
    this.whole = new TransactionFuture(this.commands);
    this.timeoutNanos = timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos;
    this.clock = clock;
    this.startNanos = clock.getAsLong();
  }

  /** The caller's future. */
  TransactionFuture whole() {
    return whole;
  }

  /** Sends it to the slot's master. */
  void start() {
    Node master = servers.master(slot);
    if (master == null) retryLater(servers.noServerKnown());
    else sendTo(master, null);
  }

  private void sendTo(Node node, @Nullable RedisException asked) {
    TransactionFuture one = new TransactionFuture(commands);
    one.setTimeoutNanos(leftNanos());
    whole.setClaim(cancelled -> one.cancel(false));
    PendingCommand pending = asked == null ? one : RetryAttempt.of(one, asked, true, clock);
    node.connection().send(pending, one.timeoutNanos());
    one.then((result, failure, callbacks) -> {
      if (result == null) onFailure(requireNonNull(failure), node);
      else whole.succeed(result, callbacks);
    });
  }

  private void onFailure(RedisException failure, Node from) {
    switch (RetryDecision.of(failure, false, from.address())) {
      case RetryDecision.None none -> servers.failNow(whole, failure);
      case RetryDecision.Ask ask ->
          servers.tasks().run(() -> sendTo(servers.node(ask.to()), failure), whole);
      case RetryDecision.Moved moved ->
          servers
              .tasks()
              .run(
                  () -> {
                    servers.onMoved(moved);
                    retryLater(failure);
                  },
                  whole);
      case RetryDecision.Wait wait -> retryLater(failure);
      case RetryDecision.Refresh ask -> {
        servers.tasks().run(servers::refresh, whole);
        retryLater(failure);
      }
    }
  }

  private void retryLater(RedisException last) {
    if (whole.isDone()) return;
    if (leftNanos() <= 0) {
      String message = "no server took the transaction in time: last=" + last.getMessage();
      servers.failNow(whole, new CommandTimeoutException(message, false, last));
    } else {
      servers.tasks().runIn(RetryQueue.delayNanos(++attempt), this::start, whole);
    }
  }

  private long leftNanos() {
    if (timeoutNanos == Long.MAX_VALUE) return timeoutNanos;
    return timeoutNanos - (clock.getAsLong() - startNanos);
  }
}
