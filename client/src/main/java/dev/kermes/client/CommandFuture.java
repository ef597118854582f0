package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import org.jspecify.annotations.Nullable;

/** One command, one reply. */
final class CommandFuture<T extends @Nullable Object> extends RedisFuture<T> {
  private final Command<T> command;

  CommandFuture(Command<T> command) {
    this.command = command;
  }

  @Override
  void writeTo(RequestOutput out) {
    out.append(command);
  }

  @Override
  boolean onReply(ReplyReader in, Deferred deferred) {
    if (isDone()) return true;
    if (in.type() == ReplyType.ERROR) {
      fail(new ServerErrorException(in.readError()), deferred);
      return true;
    }
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
  public String toString() {
    return command.toString();
  }
}
