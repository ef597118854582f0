package dev.kermes.client.internal.routing;

import dev.kermes.client.RedisException;
import dev.kermes.client.ReplySink;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.pending.SinkCommand;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A command that the client itself sends and whose reply is handled on the event loop. */
final class LoopCall implements ReplySink<@Nullable Object> {
  private final Consumer<@Nullable Object> taker;

  private LoopCall(Consumer<@Nullable Object> taker) {
    this.taker = taker;
  }

  /**
   * Sends {@code command}; {@code taker} gets the result or the {@link RedisException} on the event
   * loop.
   */
  static void send(
      Node node, EncodedCommand<@Nullable Object> command, Consumer<@Nullable Object> taker) {
    node.send(command, new SinkCommand<>(command, new LoopCall(taker)), command.timeoutNanos());
  }

  @Override
  public @Nullable Runnable onResult(@Nullable Object result) {
    taker.accept(result);
    return null;
  }

  @Override
  public @Nullable Runnable onFailure(RedisException failure) {
    taker.accept(failure);
    return null;
  }
}
