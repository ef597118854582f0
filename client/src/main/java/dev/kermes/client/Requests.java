package dev.kermes.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is checked before anything is sent. */
final class Requests {
  private Requests() {}

  /** Refuses what must not go on a connection that others use. */
  static void checkShareable(Command<?> command) {
    checkAnswered(command);
    if (command.trait() == Command.Trait.STATEFUL) {
      throw new IllegalArgumentException(
          command.name() + " changes its connection: use transaction(…) or dedicated()");
    }
  }

  /** Refuses what has no reply of its own, or more than one. */
  static void checkAnswered(Command<?> command) {
    if (command.trait() == Command.Trait.UNANSWERED) {
      throw new IllegalArgumentException(
          command.name() + " does not reply one to one: use subscribe(…)");
    }
  }

  /** Fails {@code future} if {@code command} could not be encoded. */
  static boolean failedToEncode(RedisFuture<?> future, Command<?> command) {
    EncodeException failure = command.failure();
    if (failure == null) return false;
    future.fail(failure, null);
    return true;
  }

  /** A transaction that has failed because one of {@code commands} is not encodable, or null. */
  static @Nullable RedisFuture<TransactionResult> notEncodable(
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

  /** The places of all in a queue; see {@link PendingCommand#permitCount}. */
  static int permitCount(List<? extends Command<?>> commands) {
    long bytes = 0;
    for (Command<?> command : commands) bytes += command.length();
    return 1 + (int) Math.min(1 << 30, bytes >>> 10);
  }

  /** The longest of the commands' own timeouts; 0 when none has one. */
  static long timeoutNanos(List<? extends Command<?>> commands) {
    long longest = 0;
    for (Command<?> command : commands) longest = Math.max(longest, command.timeoutNanos());
    return longest;
  }

  /**
   * What {@code command} may take on a connection of its own: its own timeout, none while the
   * server may wait for ever, or 0 for the client's.
   */
  static long timeoutNanosAlone(Command<?> command, RedisOptions options) {
    if (command.timeoutNanos() != 0 || !command.isBlocking()) return command.timeoutNanos();
    return withWay(ServerWait.nanos(command), options);
  }

  /** What the server waits and, for the way there and back, the client's timeout. */
  static long withWay(long waitNanos, RedisOptions options) {
    long way = options.commandTimeout().toNanos();
    boolean isBounded = way > 0 && waitNanos < Long.MAX_VALUE - way;
    return isBounded ? waitNanos + way : Long.MAX_VALUE;
  }

  /** As {@link #timeoutNanos(List)}, or else the client's; 0 when neither has one. */
  static long timeoutNanos(List<? extends Command<?>> commands, RedisOptions options) {
    long timeoutNanos = timeoutNanos(commands);
    return timeoutNanos == 0 ? options.commandTimeout().toNanos() : timeoutNanos;
  }

  /** Whether executing it twice does no harm: it only reads, or the caller says so. */
  static boolean isSafeToRepeat(Command<?> command) {
    return command.isRepeatable() || Route.of(command).isRead();
  }
}
