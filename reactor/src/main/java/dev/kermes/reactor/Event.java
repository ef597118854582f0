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
  private final @Nullable CompletableFuture<Object> call;
  private final @Nullable Delivery delivery;

  Event(
      String key,
      T payload,
      HandlerRegistration<T> registration,
      @Nullable CompletableFuture<Object> call,
      @Nullable Delivery delivery) {
    this.key = key;
    this.payload = payload;
    this.registration = registration;
    this.call = call;
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

  /** Whether a caller waits for {@link #reply}. */
  public boolean isCall() {
    return call != null;
  }

  /**
   * Answers a call. Only the first answer of all handlers counts; for an event that is not a call
   * this does nothing.
   */
  public void reply(Object answer) {
    if (call != null) call.complete(answer);
  }

  HandlerRegistration<T> registration() {
    return registration;
  }

  /** Records that the handler has ended, with {@code error} or null. */
  void handled(@Nullable Throwable error) {
    if (error != null && call != null) call.completeExceptionally(error);
    if (delivery != null) delivery.handlerEnded(error);
  }

  @Override
  public String toString() {
    return "Event[key=" + key + ", payload=" + payload + "]";
  }
}
