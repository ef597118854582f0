package dev.kermes.reactor;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, on its way to one handler. Payloads are handed over as they are: what
 * several handlers get must not be changed.
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

  /** What it was emitted with. */
  public String key() {
    return key;
  }

  /** What it carries. */
  public T payload() {
    return payload;
  }

  /**
   * What the handler's pattern captured of the key.
   *
   * @throws IllegalArgumentException if the pattern has no such name
   */
  public String param(String name) {
    String value = registration.pattern().capture(key, name);
    if (value == null) throw new IllegalArgumentException("no such parameter: name=" + name);
    return value;
  }

  /** All that the handler's pattern captured of the key. */
  public Map<String, String> params() {
    return registration.pattern().captures(key);
  }

  /** Whether somebody waits for {@link #reply}. */
  public boolean isCall() {
    return call != null;
  }

  /** Answers a call; the first answer of all handlers counts. Nothing happens if it is no call. */
  public void reply(Object answer) {
    if (call != null) call.complete(answer);
  }

  HandlerRegistration<T> registration() {
    return registration;
  }

  /** Its handler has ended, with {@code error} or null. */
  void handled(@Nullable Throwable error) {
    if (error != null && call != null) call.completeExceptionally(error);
    if (delivery != null) delivery.handlerEnded(error);
  }

  @Override
  public String toString() {
    return "Event[key=" + key + ", payload=" + payload + "]";
  }
}
