package dev.kermes.events;

import dev.kermes.client.RedisClient;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.NoHandlerException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this member, and its inbox:
 *
 * <pre>
 *   caller     find the members that may answer  →  PUBLISH to one's inbox  →  its answer, or a timeout
 *                                                      0 receivers: the next one
 * </pre>
 *
 * At most once: a request is handed to one member, and never repeated. A call is known here before
 * its request is sent, so that no answer is too early. Any thread.
 */
final class Calls implements AutoCloseable {

  /**
   * 50 milliseconds until the owner of a partition is looked up again that has none, or another.
   */
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS, Runnable::run);

  /** A call that has no answer yet; its receivers are looked up again when {@code again} runs. */
  private record Open(CompletableFuture<Object> answer, Runnable again, String key) {}

  /** The state of a request after it was sent. */
  private enum Sent {
    RECEIVED,
    NO_RECEIVER,
    RECEIVERS_NOT_KNOWN
  }

  private final RedisClient redis;
  private final EventsOptions options;
  private final Map<Long, Open> open = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final LongAdder late = new LongAdder();

  private @Nullable CompletableFuture<MemberInbox> inbox;
  private volatile @Nullable CallSource source;

  Calls(RedisClient redis, EventsOptions options) {
    this.redis = redis;
    this.options = options;
  }

  /** Answers that arrived after their call had ended. */
  long late() {
    return late.sum();
  }

  /** Lets a source handle the requests that arrive; completes when they do. */
  CompletionStage<MemberInbox> receive(CallSource handler) {
    source = handler;
    return inbox();
  }

  /** Requests that arrive have no handler any more. */
  void receiveNothing() {
    source = null;
  }

  /** Opens the inbox when it is needed first; a failed attempt is not kept. */
  synchronized CompletableFuture<MemberInbox> inbox() {
    CompletableFuture<MemberInbox> opened = inbox;
    if (opened == null || opened.isCompletedExceptionally()) {
      opened = MemberInbox.open(redis, options.member(), this::received).toCompletableFuture();
      inbox = opened;
    }
    return opened;
  }

  private void received(CallMessage message) {
    switch (message) {
      case CallMessage.Answer answer -> answered(answer);
      case CallMessage.Request request -> requested(request);
    }
  }

  // ---- requests of others

  private void requested(CallMessage.Request request) {
    CallSource handler = source;
    if (handler == null) answer(request, CallMessage.End.NO_HANDLER, EMPTY);
    else handler.handle(request);
  }

  static final PayloadCodec.Encoded EMPTY = new PayloadCodec.Encoded("", new byte[0]);

  /** Sends an answer; the caller's time limit covers its loss. */
  void answer(CallMessage.Request request, CallMessage.End end, PayloadCodec.Encoded payload) {
    CallMessage answer = new CallMessage.Answer(request.id(), end, payload);
    var unused = inbox().thenCompose(sender -> sender.send(request.replyTo(), answer));
  }

  // ---- requests of this member

  /**
   * Sends a request to the first of some members that receives it.
   *
   * @param receivers finds these members; empty if there will be some, which are looked up again
   *     until the deadline
   * @param meta has a deadline
   */
  CompletableFuture<Object> call(
      String key,
      Object request,
      EventMeta meta,
      boolean isToOwner,
      Supplier<CompletionStage<Optional<List<String>>>> receivers) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    long id = lastId.incrementAndGet();
    Runnable send =
        () -> {
          try {
            CallMessage message = request(id, key, request, meta, isToOwner);
            var unused =
                inbox()
                    .thenCombine(receivers.get(), (from, to) -> send(from, to, message))
                    .thenCompose(sent -> sent)
                    .whenComplete((sent, error) -> {
                      if (error != null) answer.completeExceptionally(cause(error));
                      else sent(id, sent);
                    });
          } catch (RuntimeException e) {
            answer.completeExceptionally(e); // not encoded
          }
        };
    open.put(id, new Open(answer, send, key));
    var unused = answer.whenComplete((value, error) -> open.remove(id));
    send.run();
    return answer.orTimeout(Math.max(0, meta.remaining().toNanos()), TimeUnit.NANOSECONDS);
  }

  private CallMessage request(
      long id, String key, Object request, EventMeta meta, boolean isToOwner) {
    return new CallMessage.Request(
        id,
        isToOwner,
        meta.remaining().toMillis(),
        options.member(),
        key,
        meta.headers(),
        options.payloads().encode(request));
  }

  private static CompletionStage<Sent> send(
      MemberInbox from, Optional<List<String>> to, CallMessage message) {
    return to.isEmpty()
        ? CompletableFuture.completedStage(Sent.RECEIVERS_NOT_KNOWN)
        : send(from, new ArrayDeque<>(to.get()), message);
  }

  /** Sends to one member after another until one has received it. */
  private static CompletionStage<Sent> send(
      MemberInbox from, Deque<String> to, CallMessage message) {
    String next = to.poll();
    if (next == null) return CompletableFuture.completedStage(Sent.NO_RECEIVER);
    return from.send(next, message)
        .thenCompose(receivers ->
            receivers > 0
                ? CompletableFuture.completedStage(Sent.RECEIVED)
                : send(from, to, message));
  }

  private void sent(long id, Sent sent) {
    Open call = open.get(id);
    if (call == null) return; // answered or over already
    switch (sent) {
      case RECEIVED -> {}
      case NO_RECEIVER -> call.answer().completeExceptionally(new NoHandlerException(call.key()));
      case RECEIVERS_NOT_KNOWN -> sendLater(call);
    }
  }

  private static void sendLater(Open call) {
    LATER.execute(() -> {
      if (!call.answer().isDone()) call.again().run();
    });
  }

  /** The failure itself, without the wrapper of a stage. */
  static Throwable cause(Throwable error) {
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
  }

  private void answered(CallMessage.Answer answer) {
    Open call = open.get(answer.id());
    if (call == null) {
      late.increment();
      return;
    }
    PayloadCodec.Encoded payload = answer.payload();
    switch (answer.end()) {
      case ANSWERED -> complete(call, payload);
      case FAILED -> {
        String message = Entry.text(payload.bytes());
        call.answer().completeExceptionally(new RemoteFailureException(payload.type(), message));
      }
      case NO_HANDLER -> call.answer().completeExceptionally(new NoHandlerException(call.key()));
      case NOT_OWNER -> sendLater(call);
    }
  }

  private void complete(Open call, PayloadCodec.Encoded payload) {
    try {
      call.answer().complete(options.payloads().decode(payload.type(), payload.bytes()));
    } catch (RuntimeException e) {
      call.answer().completeExceptionally(e);
    }
  }

  @Override
  public synchronized void close() {
    CompletableFuture<MemberInbox> opened = inbox;
    if (opened != null) {
      var unused = opened.thenAccept(MemberInbox::close);
    }
  }
}
