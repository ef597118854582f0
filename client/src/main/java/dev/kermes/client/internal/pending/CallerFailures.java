package dev.kermes.client.internal.pending;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.CommandCancelledException;
import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.CrossSlotException;
import dev.kermes.client.DecodeException;
import dev.kermes.client.EncodeException;
import dev.kermes.client.QueueFullException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisProtocolException;
import dev.kermes.client.ServerErrorException;
import java.util.Arrays;
import java.util.Set;

/** Copies of failures, for callers that wait: the copy has the caller's stack, not the loop's. */
final class CallerFailures {
  /** The methods that create the copy; their frames are left out. */
  private static final Set<String> MAKERS = Set.of("copy", "fromCaller", "joinThrowing");

  private CallerFailures() {}

  /** A failure with the same type, message and cause, and the stack of the current thread. */
  static RedisException fromCaller(RedisException failure) {
    RedisException copy = copy(failure);
    StackTraceElement[] stack = copy.getStackTrace();
    int from = 0;
    while (from < stack.length && MAKERS.contains(stack[from].getMethodName())) from++;
    copy.setStackTrace(Arrays.copyOfRange(stack, from, stack.length));
    return copy;
  }

  private static RedisException copy(RedisException failure) {
    String message = failure.getMessage();
    Throwable cause = failure.getCause();
    return switch (failure) {
      case ServerErrorException error -> new ServerErrorException(message, cause);
      case ConnectionLostException lost ->
          new ConnectionLostException(message, lost.mayHaveExecuted(), cause);
      case CommandTimeoutException late ->
          new CommandTimeoutException(message, late.mayHaveExecuted(), cause);
      case CrossSlotException crossing -> new CrossSlotException(message, cause);
      case QueueFullException full -> new QueueFullException(message, cause);
      case EncodeException unencodable -> new EncodeException(message, cause);
      case DecodeException undecodable -> new DecodeException(message, cause);
      case RedisProtocolException broken -> new RedisProtocolException(message, cause);
      case CommandCancelledException cancelled -> new CommandCancelledException(message, cause);
      case ClientClosedException closed -> new ClientClosedException(message, cause);
    };
  }
}
