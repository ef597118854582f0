package dev.kermes.client.internal.routing;

import org.jspecify.annotations.Nullable;

/** Tells which server a topic belongs to. Called on the event loop. */
public interface TopicNodes {
  /**
   * The server for {@code topic}, or null while none is known.
   *
   * @param current where it is requested now, or null
   */
  @Nullable Node nodeFor(Topic topic, @Nullable Node current);

  /** Asks for a refresh, because an answer of {@link #nodeFor} turned out to be wrong. */
  default void refresh() {}
}
