package dev.kermes.reactor;

import java.io.Serial;
import java.util.List;

/**
 * The failure of a delivery: at least one handler did not succeed. Its cause is the first handler's
 * exception. A source that repeats the event can leave out the handlers that succeeded; see {@link
 * Inlet#deliver(String, Object, EventMeta, java.util.Set)}.
 */
public final class DeliveryFailedException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  /**
   * One handler's failure.
   *
   * @param handler the handler's name
   * @param attempts how often it was called in this delivery; 0 if its queue refused the event
   * @param error the exception of the last attempt
   * @param isFinal whether the handler's own retries are exhausted; false if they were cut short
   *     because the event's deadline passed, or its source or the reactor was stopped
   */
  public record Failure(String handler, int attempts, Throwable error, boolean isFinal) {}

  @SuppressWarnings("serial") // an immutable list of the JDK
  private final List<Failure> failures;

  DeliveryFailedException(String key, List<Failure> failures) {
    super(message(key, failures), failures.getFirst().error());
    this.failures = List.copyOf(failures);
  }

  private static String message(String key, List<Failure> failures) {
    List<String> names = failures.stream().map(Failure::handler).toList();
    return "not handled: key=" + key + ", handlers=" + names;
  }

  /** The failures, at least one, in the order in which they happened. */
  public List<Failure> failures() {
    return failures;
  }
}
