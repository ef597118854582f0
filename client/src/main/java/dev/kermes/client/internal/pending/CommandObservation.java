package dev.kermes.client.internal.pending;

import dev.kermes.client.CommandObserver;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.net.LendableLoop;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports commands that are sent to the client's observer, if it has one. Any thread.
 *
 * @param loop the loop that callers may run while they wait
 */
public record CommandObservation(@Nullable CommandObserver observer, @Nullable LendableLoop loop) {
  /** Wraps {@code pending}, which is for {@code command} alone, if there is an observer. */
  public PendingCommand observe(EncodedCommand<?> command, PendingCommand pending) {
    if (observer == null) return pending;
    return new ObservedCommand(command, pending, observer.onStart(command.name()), loop);
  }

  /** Sends several commands by {@code sending} and reports them to the observer as {@code name}. */
  public <T> PendingFuture<T> observeAll(String name, Supplier<PendingFuture<T>> sending) {
    if (observer == null) return sending.get();
    CommandObserver.Observation observation = observer.onStart(name);
    PendingFuture<T> sent = sending.get();
    var unused =
        sent.handle((result, failure) -> {
          observation.onEnd(null, failure instanceof RedisException cause ? cause : null);
          return true;
        });
    return sent;
  }
}
