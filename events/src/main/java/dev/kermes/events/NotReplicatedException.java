package dev.kermes.events;

import java.io.Serial;

/** The failure of an emit whose event is stored, but on fewer replicas than asked for. */
public final class NotReplicatedException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  private final String id;
  private final long replicas;

  NotReplicatedException(String id, long replicas) {
    super("not replicated in time: id=" + id + ", replicas=" + replicas);
    this.id = id;
    this.replicas = replicas;
  }

  /** The id of the event, as {@code emit} would have returned it. */
  public String id() {
    return id;
  }

  /** How many replicas have the event. */
  public long replicas() {
    return replicas;
  }
}
