package dev.kermes.events.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import dev.kermes.reactor.DeliveryFailedException;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.RejectedEventException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue over one connection. Of each key one message at a time is with handlers;
 * the next one begins when it has ended, on a thread of its own, since a full queue of a handler
 * makes it wait. The end of a message:
 *
 * <pre>
 *   all handlers succeeded                             acknowledged
 *   a handler failed for good, none matches,
 *   no payload                                         rejected: to the dead letter exchange
 *   a queue refused the event                          once more, after a while
 *   retries were cut short, the delivery was cancelled nothing: back to the queue with the connection
 * </pre>
 *
 * A message of the last kind holds its key. After the connection's end no message begins: the
 * broker gives all that were not acknowledged to a consumer again.
 */
final class Session implements AutoCloseable {

  /** 100 milliseconds until an event is offered again to a handler that refuses when it is full. */
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Thread::startVirtualThread);

  /** A message with handlers; {@code ended} lets the next one of its key begin. */
  private record Message(String key, Delivery delivery, CompletableFuture<Void> ended) {
    long tag() {
      return delivery.getEnvelope().getDeliveryTag();
    }
  }

  private final AmqpSource source;
  private final QueueReading reading;
  private final Connection connection;
  private final Channel channel;

  /** The last message of each key. */
  private final Map<String, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  /** Held while the channel is used: a channel must not be used by two threads at once. */
  private final ReentrantLock sending = new ReentrantLock();

  private final CompletableFuture<Throwable> end = new CompletableFuture<>();

  private Session(AmqpSource source, QueueReading reading, Connection connection)
      throws IOException {
    this.source = source;
    this.reading = reading;
    this.connection = connection;
    channel = connection.createChannel();
  }

  /** Connects and begins to read. */
  static Session open(AmqpSource source, QueueReading reading)
      throws IOException, TimeoutException {
    Connection connection = source.factory().newConnection("kermes " + source.queue());
    try {
      Session session = new Session(source, reading, connection);
      session.consume();
      return session;
    } catch (IOException | RuntimeException e) {
      Connections.close(connection);
      throw e;
    }
  }

  private void consume() throws IOException {
    channel.addShutdownListener(end::complete);
    source.topology().declare(channel);
    channel.basicQos(source.prefetch());
    String unused =
        channel.basicConsume(
            source.queue(),
            false,
            (consumer, delivery) -> arrived(delivery),
            consumer -> end.complete(new IOException("queue deleted: queue=" + source.queue())));
  }

  /** Waits until the connection or the queue is gone, and returns why. */
  Throwable awaitEnd() throws InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      return e; // it always completes with a value
    }
  }

  // ---- messages, on the connection's thread

  private void arrived(Delivery delivery) {
    String key = source.key(delivery.getEnvelope().getRoutingKey());
    Message message = new Message(key, delivery, new CompletableFuture<>());
    CompletableFuture<Void> before = last.put(key, message.ended());
    if (before == null) before = CompletableFuture.completedFuture(null);
    var unused =
        before.thenRunAsync(
            () -> reading.begin(() -> begin(message, Set.of())), Thread::startVirtualThread);
  }

  private void begin(Message message, Set<String> handlers) {
    if (end.isDone()) return;
    Delivery delivery = message.delivery();
    CompletableFuture<Integer> outcome;
    try {
      Object payload = source.payloads().decode(type(delivery.getProperties()), delivery.getBody());
      outcome =
          handlers.isEmpty()
              ? reading.inlet().deliver(message.key(), payload, meta(delivery))
              : reading.inlet().deliver(message.key(), payload, meta(delivery), handlers);
    } catch (RuntimeException e) {
      reject(message);
      return;
    }
    var unused = outcome.whenComplete((count, error) -> ended(message, error));
  }

  private static String type(AMQP.BasicProperties properties) {
    if (properties.getType() != null) return properties.getType();
    String content = properties.getContentType();
    boolean isText =
        content != null && (content.startsWith("text/") || content.contains("application/json"));
    return isText ? "text" : "bytes";
  }

  private static EventMeta meta(Delivery delivery) {
    AMQP.BasicProperties properties = delivery.getProperties();
    Map<String, String> headers = new HashMap<>();
    Map<String, Object> given = properties.getHeaders();
    if (given != null) given.forEach((name, value) -> headers.put(name, String.valueOf(value)));
    EventMeta meta = EventMeta.none().headers(headers).attempt(attempt(delivery));
    String id = properties.getMessageId();
    return id == null ? meta : meta.id(id);
  }

  /** Quorum queues count deliveries; others tell only that there was one before. */
  private static int attempt(Delivery delivery) {
    Map<String, Object> headers = delivery.getProperties().getHeaders();
    if (headers != null && headers.get("x-delivery-count") instanceof Number count) {
      return count.intValue() + 1;
    }
    return delivery.getEnvelope().isRedeliver() ? 2 : 1;
  }

  // ---- the end of a message, on a thread of its last handler

  private void ended(Message message, @Nullable Throwable error) {
    if (error == null) {
      send(message, () -> channel.basicAck(message.tag(), false));
    } else if (error instanceof DeliveryFailedException failed) {
      failed(message, failed.failures());
    } else if (!isToRepeat(error)) {
      reject(message);
    }
  }

  private void failed(Message message, List<DeliveryFailedException.Failure> failures) {
    if (failures.stream().allMatch(Session::isRefused)) {
      Set<String> names =
          failures.stream()
              .map(DeliveryFailedException.Failure::handler)
              .collect(Collectors.toSet());
      LATER.execute(() -> reading.begin(() -> begin(message, names)));
    } else if (failures.stream().allMatch(DeliveryFailedException.Failure::isFinal)) {
      reject(message);
    }
  }

  private static boolean isRefused(DeliveryFailedException.Failure failure) {
    return failure.attempts() == 0 && failure.error() instanceof RejectedEventException;
  }

  /** Whether the message goes back to the queue, since its source or the reactor ends. */
  private static boolean isToRepeat(Throwable error) {
    return error instanceof CancellationException || error instanceof RejectedEventException;
  }

  private void reject(Message message) {
    send(message, () -> channel.basicReject(message.tag(), false));
  }

  private interface Sending {
    void run() throws IOException;
  }

  /** Tells the broker of an end, unless the connection is lost, and lets the next one begin. */
  private void send(Message message, Sending frame) {
    sending.lock();
    try {
      frame.run();
    } catch (IOException | ShutdownSignalException e) {
      boolean unused = end.complete(e);
    } finally {
      sending.unlock();
    }
    boolean unused = last.remove(message.key(), message.ended());
    boolean unusedToo = message.ended().complete(null);
  }

  @Override
  public void close() {
    boolean unused = end.complete(new IOException("closed"));
    Connections.close(connection);
  }
}
