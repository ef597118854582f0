package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import org.jspecify.annotations.Nullable;

/** One command, one reply. */
final class CommandFuture<T extends @Nullable Object> extends RedisFuture<T> {
  private final Command<T> command;

  CommandFuture(Command<T> command) {
    this.command = command;
  }

  @Override
  Command<T> command() {
    return command;
  }

  /** Ends as {@code other} does. */
  void follow(RedisFuture<T> other) {
    var unused =
        other.handle((result, failure) -> {
          if (failure instanceof RedisException cause) failHere(cause);
          else succeed(result, null);
          return true;
        });
  }

  @Override
  void writeTo(RequestOutput out) {
    out.append(command);
  }

  @Override
  boolean onReply(ReplyReader in, Deferred deferred) {
    if (isDone()) return true;
    T result;
    try {
      result = command.decoder().decode(in);
    } catch (RuntimeException e) {
      fail(undecodable(command.name(), e), deferred);
      return true;
    }
    succeed(result, deferred);
    return true;
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // of the command's own type
  void answer(@Nullable Object result) {
    succeed((T) result, null);
  }

  @Override
  public String toString() {
    return command.toString();
  }
}
