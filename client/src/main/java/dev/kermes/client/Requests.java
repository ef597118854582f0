package dev.kermes.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks and computations that precede sending. */
final class Requests {
  private Requests() {}

  /** Rejects commands that must not be sent on a shared connection. */
  static void checkShareable(Command<?> command) {
    checkAnswered(command);
    if (command.trait() == Command.Trait.STATEFUL) {
      throw new IllegalArgumentException(
          command.name() + " changes its connection: use transaction(…) or dedicated()");
    }
  }

  /** Rejects commands without exactly one reply. */
  static void checkAnswered(Command<?> command) {
    if (command.trait() == Command.Trait.UNANSWERED) {
      throw new IllegalArgumentException(
          command.name() + " does not reply one to one: use subscribe(…)");
    }
  }

  /** Fails {@code future} if {@code command} could not be encoded. */
  static boolean failedToEncode(PendingFuture<?> future, Command<?> command) {
    EncodeException failure = command.failure();
    if (failure == null) return false;
    future.fail(failure, null);
    return true;
  }

  /** Returns a failed transaction if one of {@code commands} could not be encoded, or else null. */
  static @Nullable PendingFuture<TransactionResult> notEncodable(
      List<? extends Command<?>> commands) {
    for (Command<?> command : commands) {
      checkAnswered(command);
      if (command.failure() == null) continue;
      TransactionFuture future = new TransactionFuture(commands);
      future.fail(command.failure(), null);
      return future;
    }
    return null;
  }

  static boolean hasBlocking(List<? extends Command<?>> commands) {
    for (Command<?> command : commands) {
      if (command.isBlocking()) return true;
    }
    return false;
  }

  /** The queue permits of all commands together; see {@link PendingCommand#permitCount}. */
  static int permitCount(List<? extends Command<?>> commands) {
    long bytes = 0;
    for (Command<?> command : commands) bytes += command.length();
    return 1 + (int) Math.min(1 << 30, bytes >>> 10);
  }

  /** The longest of the commands' own timeouts; 0 if none has one. */
  static long timeoutNanos(List<? extends Command<?>> commands) {
    long longest = 0;
    for (Command<?> command : commands) longest = Math.max(longest, command.timeoutNanos());
    return longest;
  }

  /**
   * The timeout of {@code command} on a dedicated connection: its own; Long.MAX_VALUE if the server
   * may wait without limit; the server's wait plus the client's timeout; or 0 for the client's.
   */
  static long timeoutNanosAlone(Command<?> command, RedisOptions options) {
    if (command.timeoutNanos() != 0 || !command.isBlocking()) return command.timeoutNanos();
    return withWay(ServerWait.nanos(command), options);
  }

  /** The server's wait plus the client's timeout for the round trip. */
  static long withWay(long waitNanos, RedisOptions options) {
    long way = options.commandTimeout().toNanos();
    boolean isBounded = way > 0 && waitNanos < Long.MAX_VALUE - way;
    return isBounded ? waitNanos + way : Long.MAX_VALUE;
  }

  /** Like {@link #timeoutNanos(List)}, or else the client's timeout; 0 if there is neither. */
  static long timeoutNanos(List<? extends Command<?>> commands, RedisOptions options) {
    long timeoutNanos = timeoutNanos(commands);
    return timeoutNanos == 0 ? options.commandTimeout().toNanos() : timeoutNanos;
  }

  /** Whether it is safe to execute twice: it only reads, or the caller has declared it so. */
  static boolean isSafeToRepeat(Command<?> command) {
    return command.isRepeatable() || Route.of(command).isRead();
  }
}
