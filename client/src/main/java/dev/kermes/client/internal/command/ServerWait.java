package dev.kermes.client.internal.command;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The time that a blocking command asks the server to wait, given by its first or last argument or
 * by BLOCK.
 */
public final class ServerWait {
  private ServerWait() {}

  /**
   * The wait in nanoseconds; 0 for a command that does not wait, Long.MAX_VALUE for one that waits
   * without limit or whose limit is unreadable.
   */
  public static long nanos(EncodedCommand<?> command) {
    if (!command.isBlocking() || command.failure() != null) return 0;
    RequestArguments request = RequestArguments.of(command);
    int last = request.argc() - 1;
    return switch (command.name()) {
      case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BZPOPMIN", "BZPOPMAX" ->
          nanos(request, last, TimeUnit.SECONDS);
      case "BLMPOP", "BZMPOP" -> nanos(request, 1, TimeUnit.SECONDS);
      case "WAIT", "WAITAOF" -> nanos(request, last, TimeUnit.MILLISECONDS);
      case "XREAD", "XREADGROUP" -> nanos(request, afterBlock(request), TimeUnit.MILLISECONDS);
      default -> Long.MAX_VALUE;
    };
  }

  /** The wait of commands that are executed one after the other. */
  public static long nanos(List<EncodedCommand<?>> commands) {
    long sum = 0;
    for (EncodedCommand<?> command : commands) {
      sum += nanos(command);
      if (sum < 0) return Long.MAX_VALUE;
    }
    return sum;
  }

  private static int afterBlock(RequestArguments request) {
    for (int i = 1; i < request.argc(); i++) {
      if (request.text(i).equalsIgnoreCase("BLOCK")) return i + 1;
    }
    return request.argc();
  }

  private static long nanos(RequestArguments request, int index, TimeUnit unit) {
    if (index < 1 || index >= request.argc()) return Long.MAX_VALUE;
    try {
      double time = Double.parseDouble(request.text(index));
      return time > 0 ? (long) (time * unit.toNanos(1)) : Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE; // the server will reply with an error
    }
  }
}
