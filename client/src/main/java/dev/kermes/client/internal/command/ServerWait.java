package dev.kermes.client.internal.command;

import dev.kermes.commands.WaitArgument;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The time that a blocking command asks the server to wait; see {@link WaitArgument}. */
public final class ServerWait {
  private ServerWait() {}

  /**
   * The wait in nanoseconds; 0 for a command that does not wait, Long.MAX_VALUE for one that waits
   * without limit or whose limit is unreadable.
   */
  public static long nanos(EncodedCommand<?> command) {
    if (!command.isBlocking() || command.failure() != null) return 0;
    WaitArgument wait = command.commandName().waitArgument();
    if (wait == null) return Long.MAX_VALUE; // its caller says that it waits
    RequestArguments request = RequestArguments.of(command);
    return nanos(request, position(wait, request), wait.unit());
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

  private static int position(WaitArgument wait, RequestArguments request) {
    if (wait.word().isEmpty()) {
      return wait.position() < 0 ? request.argc() + wait.position() : wait.position();
    }
    for (int i = 1; i < request.argc(); i++) {
      if (request.text(i).equalsIgnoreCase(wait.word())) return i + 1;
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
