package dev.kermes.reactor;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way to one handler. All handlers of an event share its payload object, so they
 * must not modify it.
 */
public final class Event<T> extends Mailbox.Node {

  private final String key;
  private final T payload;
  private final HandlerRegistration<T> registration;

  /** The parts shared by all handlers of the event; null for a plain {@code emit}. */
  private final @Nullable Delivery delivery;

  /** How often the handler has been called again; written by the thread that calls it. */
  private int retries;

  Event(String key, T payload, HandlerRegistration<T> registration, @Nullable Delivery delivery) {
    this.key = key;
    this.payload = payload;
    this.registration = registration;
    this.delivery = delivery;
  }

  /** The key that the event was emitted with. */
  public String key() {
    return key;
  }

  /** The payload that the event was emitted with. */
  public T payload() {
    return payload;
  }

  /**
   * The part of the key that the handler's pattern captured under {@code name}.
   *
   * @throws IllegalArgumentException if the pattern has no such name
   */
  public String param(String name) {
    String value = registration.pattern().capture(key, name);
    if (value == null) throw new IllegalArgumentException("no such parameter: name=" + name);
    return value;
  }

  /** All parts of the key that the handler's pattern captured, by name. */
  public Map<String, String> params() {
    return registration.pattern().captures(key);
  }

  /** The metadata that the event was emitted with; {@link EventMeta#none()} if there is none. */
  public EventMeta meta() {
    EventMeta shared = delivery == null ? EventMeta.none() : delivery.meta();
    return retries == 0 ? shared : shared.attempt(shared.attempt() + retries);
  }

  /** Whether a caller waits for {@link #reply}. */
  public boolean isCall() {
    return call() != null;
  }

  private @Nullable CompletableFuture<Object> call() {
    return delivery == null ? null : delivery.call();
  }

  /**
   * Answers a call. Only the first answer of all handlers counts; for an event that is not a call
   * this does nothing.
   */
  public void reply(Object answer) {
    CompletableFuture<Object> call = call();
    if (call != null) call.complete(answer);
  }

  HandlerRegistration<T> registration() {
    return registration;
  }

  @Nullable Delivery delivery() {
    return delivery;
  }

  int retries() {
    return retries;
  }

  void countRetry() {
    retries++;
  }

  /** Records that the handler has ended, with {@code error} or null. */
  void handled(@Nullable Throwable error) {
    Delivery shared = delivery;
    if (shared == null) return;
    CompletableFuture<Object> call = shared.call();
    if (error != null && call != null) call.completeExceptionally(error);
    if (error != null) {
      shared.handlerFailed(registration.name(), retries + 1, error, shared.mayRetry());
    }
    shared.handlerEnded();
  }

  @Override
  public String toString() {
    return "Event[key=" + key + ", payload=" + payload + "]";
  }
}
