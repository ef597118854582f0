package dev.kermes.client;

import java.io.Serial;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a command has no result. A future fails once, with exactly one of the subclasses;
 * a nil reply is not a failure.
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

  /** The methods that create the copy of a failure for a waiting caller. */
  private static final Set<String> MAKERS = Set.of("here", "fromCaller", "joinThrowing");

  RedisException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Copies it with the same type, message and cause and the current stack. */
  abstract RedisException here();

  /** Like {@link #here}, without the stack frames that create the copy. */
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
