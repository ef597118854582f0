package dev.kermes.events;

import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Inlet;
import dev.kermes.reactor.NoHandlerException;
import dev.kermes.reactor.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The requests that other members make of this one's handlers, as a source of the reactor. Before
 * the reactor ends it is paused, and refuses requests. Any thread.
 */
final class CallSource implements Source.BestEffort, Source.Reading {

  private final Calls calls;
  private final PayloadCodec payloads;
  private final ToLongFunction<String> tokens;
  private volatile @Nullable Inlet inlet;
  private volatile boolean isPaused;

  /**
   * A source of requests.
   *
   * @param tokens the fencing token of this member for a key, or 0 if it does not own it
   */
  CallSource(Calls calls, PayloadCodec payloads, ToLongFunction<String> tokens) {
    this.calls = calls;
    this.payloads = payloads;
    this.tokens = tokens;
  }

  @Override
  public Source.Reading start(Inlet into) {
    inlet = into;
    return this;
  }

  void handle(CallMessage.Request request) {
    Inlet into = inlet;
    if (into == null || isPaused) {
      calls.answer(request, CallMessage.End.NO_HANDLER, Calls.EMPTY);
      return;
    }
    long token = request.isToOwner() ? tokens.applyAsLong(request.key()) : 0;
    if (request.isToOwner() && token == 0) {
      calls.answer(request, CallMessage.End.NOT_OWNER, Calls.EMPTY);
      return;
    }
    EventMeta meta = meta(request, token);
    try {
      PayloadCodec.Encoded payload = request.payload();
      Object decoded = payloads.decode(payload.type(), payload.bytes());
      var unused =
          into.call(request.key(), decoded, meta)
              .whenComplete((value, error) -> ended(request, meta, value, error));
    } catch (RuntimeException e) {
      failed(request, meta, e);
    }
  }

  private static EventMeta meta(CallMessage.Request request, long token) {
    return EventMeta.none()
        .token(token)
        .headers(request.headers())
        .within(Duration.ofMillis(request.withinMillis()));
  }

  private void ended(
      CallMessage.Request request,
      EventMeta meta,
      @Nullable Object value,
      @Nullable Throwable error) {
    if (error == null && value != null) {
      try {
        calls.answer(request, CallMessage.End.ANSWERED, payloads.encode(value));
      } catch (RuntimeException e) {
        failed(request, meta, e);
      }
    } else if (error != null) {
      failed(request, meta, Calls.cause(error));
    }
  }

  /**
   * Tells the caller of a failure, unless the request's time is over. The caller then has its own
   * timeout, and this one, which counts whole milliseconds, can be the first of the two.
   */
  private void failed(CallMessage.Request request, EventMeta meta, Throwable error) {
    if (!meta.remaining().isPositive()) return;
    if (error instanceof NoHandlerException) {
      calls.answer(request, CallMessage.End.NO_HANDLER, Calls.EMPTY);
      return;
    }
    byte[] message = String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8);
    calls.answer(
        request,
        CallMessage.End.FAILED,
        new PayloadCodec.Encoded(error.getClass().getName(), message));
  }

  @Override
  public void pause() {
    isPaused = true;
  }

  @Override
  public void resume() {
    isPaused = false;
  }

  @Override
  public void close() {
    calls.receiveNothing();
  }
}
