package dev.kermes.client;

import dev.kermes.net.LendableLoop;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the client's observer, if it has one, of what is sent. Any thread.
 *
 * @param loop that callers may run while they wait
 */
record CommandObservation(@Nullable CommandObserver observer, @Nullable LendableLoop loop) {
  /** What is to be queued for {@code pending}, which is for {@code command} alone. */
  PendingCommand observe(Command<?> command, PendingCommand pending) {
    if (observer == null) return pending;
    return new ObservedCommand(command, pending, observer.onStart(command.name()), loop);
  }

  /** What {@code sending} returns; {@code name} is the observer's word for it. */
  <T> RedisFuture<T> observeAll(String name, Supplier<RedisFuture<T>> sending) {
    if (observer == null) return sending.get();
    CommandObserver.Observation observation = observer.onStart(name);
    RedisFuture<T> sent = sending.get();
    var unused =
        sent.handle((result, failure) -> {
          observation.onEnd(null, failure instanceof RedisException cause ? cause : null);
          return true;
        });
    return sent;
  }
}
