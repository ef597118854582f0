package dev.kermes.client;

import java.io.Serial;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why a command has no result. A future fails once, with exactly one of the subclasses; a nil reply
 * is no failure.
 */
public abstract sealed class RedisException extends RuntimeException
    permits ServerErrorException,
        ConnectionLostException,
        CommandTimeoutException,
        CrossSlotException,
        QueueFullException,
        EncodeException,
        DecodeException,
        RedisProtocolException,
        CommandCancelledException,
        ClientClosedException {
  @Serial private static final long serialVersionUID = 1L;

  /** The methods that a failure passes on its way to a caller who waits. */
  private static final Set<String> MAKERS = Set.of("here", "fromCaller", "joinThrowing");

  RedisException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Of the same type, message and cause, with the stack of the caller. */
  abstract RedisException here();

  /** As {@link #here}, without the frames that made it. */
  final RedisException fromCaller() {
    RedisException copy = here();
    StackTraceElement[] stack = copy.getStackTrace();
    int from = 0;
    while (from < stack.length && MAKERS.contains(stack[from].getMethodName())) from++;
    copy.setStackTrace(Arrays.copyOfRange(stack, from, stack.length));
    return copy;
  }

  /** {@link #getMessage}, which no subclass leaves null. */
  final String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
