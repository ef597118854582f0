package dev.kermes.client.internal.command;

import dev.kermes.client.RedisOptions;
import java.util.List;

/** Checks and computations that precede sending. */
public final class Requests {
  private Requests() {}

  /** Rejects commands that must not be sent on a shared connection. */
  public static void checkShareable(EncodedCommand<?> command) {
    checkAnswered(command);
    if (command.trait() == CommandTrait.STATEFUL) {
      throw new IllegalArgumentException(
          command.name() + " changes its connection: use transaction(…) or dedicated()");
    }
  }

  /** Rejects commands without exactly one reply. */
  public static void checkAnswered(EncodedCommand<?> command) {
    if (command.trait() == CommandTrait.UNANSWERED) {
      throw new IllegalArgumentException(
          command.name() + " does not reply one to one: use subscribe(…)");
    }
  }

  public static boolean hasBlocking(List<EncodedCommand<?>> commands) {
    for (EncodedCommand<?> command : commands) {
      if (command.isBlocking()) return true;
    }
    return false;
  }

  /** The queue permits of all commands together: one, and one more for each KiB. */
  public static int permitCount(List<EncodedCommand<?>> commands) {
    long bytes = 0;
    for (EncodedCommand<?> command : commands) bytes += command.length();
    return 1 + (int) Math.min(1 << 30, bytes >>> 10);
  }

  /** The longest of the commands' own timeouts; 0 if none has one. */
  public static long timeoutNanos(List<EncodedCommand<?>> commands) {
    long longest = 0;
    for (EncodedCommand<?> command : commands) longest = Math.max(longest, command.timeoutNanos());
    return longest;
  }

  /**
   * The timeout of {@code command} on a dedicated connection: its own; Long.MAX_VALUE if the server
   * may wait without limit; the server's wait plus the client's timeout; or 0 for the client's.
   */
  public static long timeoutNanosAlone(EncodedCommand<?> command, RedisOptions options) {
    if (command.timeoutNanos() != 0 || !command.isBlocking()) return command.timeoutNanos();
    return withWay(ServerWait.nanos(command), options);
  }

  /** The server's wait plus the client's timeout for the round trip. */
  public static long withWay(long waitNanos, RedisOptions options) {
    long way = options.commandTimeout().toNanos();
    boolean isBounded = way > 0 && waitNanos < Long.MAX_VALUE - way;
    return isBounded ? waitNanos + way : Long.MAX_VALUE;
  }

  /** Like {@link #timeoutNanos(List)}, or else the client's timeout; 0 if there is neither. */
  public static long timeoutNanos(List<EncodedCommand<?>> commands, RedisOptions options) {
    long timeoutNanos = timeoutNanos(commands);
    return timeoutNanos == 0 ? options.commandTimeout().toNanos() : timeoutNanos;
  }

  /** Whether it is safe to execute twice: it only reads, or the caller has declared it so. */
  public static boolean isSafeToRepeat(EncodedCommand<?> command) {
    return command.isRepeatable() || Route.of(command).isRead();
  }
}
