package dev.kermes.client;

import java.util.List;

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

  /** Fails {@code future} if any of {@code commands} could not be encoded. */
  static boolean failedToEncode(RedisFuture<?> future, List<? extends Command<?>> commands) {
    for (Command<?> command : commands) {
      checkAnswered(command);
      if (failedToEncode(future, command)) return true;
    }
    return false;
  }

  static boolean hasBlocking(List<? extends Command<?>> commands) {
    for (Command<?> command : commands) {
      if (command.isBlocking()) return true;
    }
    return false;
  }

  /** The longest of the commands' own timeouts; 0 when none has one. */
  static long timeoutNanos(List<? extends Command<?>> commands) {
    long longest = 0;
    for (Command<?> command : commands) longest = Math.max(longest, command.timeoutNanos());
    return longest;
  }
}
