package dev.kermes.client;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who knows who serves what. On the event loop. */
interface TopologySource {
  /** Called once, before anything else; {@code onChange} is run when news come unasked. */
  default void start(Runnable onChange) {}

  /** Asks, one after the other, until somebody answers; {@code done} gets null if nobody does. */
  void ask(Consumer<@Nullable Layout> done);

  /** Whether keys are spread over slots, and commands must keep to one. */
  boolean hasSlots();

  default void close() {}
}
