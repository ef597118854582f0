package dev.kermes.events.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.kermes.events.PayloadCodec;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.NoHandlerException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;

/**
 * Publishing over one connection, with confirms. Events are published by one thread at a time; the
 * connection's thread completes them.
 */
final class Publisher implements AutoCloseable {

  private static final int PERSISTENT = 2;
  private static final long CLOSE_MILLIS = 10_000;

  /** An event that the broker has not confirmed. */
  private record Open(String key, String id, CompletableFuture<String> stored) {}

  private final String exchange;
  private final Connection connection;
  private final Channel channel;
  private final ConcurrentNavigableMap<Long, Open> open = new ConcurrentSkipListMap<>();

  /** The ids of messages that came back, since no queue gets them; their confirms follow. */
  private final Set<String> returned = ConcurrentHashMap.newKeySet();

  private Publisher(String exchange, Connection connection) throws IOException {
    this.exchange = exchange;
    this.connection = connection;
    channel = connection.createChannel();
  }

  static Publisher open(ConnectionFactory factory, String exchange, Topology topology)
      throws IOException, TimeoutException {
    Connection connection = factory.newConnection("kermes " + exchange);
    try {
      Publisher publisher = new Publisher(exchange, connection);
      publisher.begin(topology);
      return publisher;
    } catch (IOException | RuntimeException e) {
      Connections.close(connection);
      throw e;
    }
  }

  private void begin(Topology topology) throws IOException {
    topology.declare(channel);
    AMQP.Confirm.SelectOk unused = channel.confirmSelect();
    channel.addReturnListener(this::returned);
    channel.addConfirmListener(
        (number, isMultiple) -> confirmed(number, isMultiple, true),
        (number, isMultiple) -> confirmed(number, isMultiple, false));
    channel.addShutdownListener(this::lost);
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  CompletableFuture<String> publish(String key, PayloadCodec.Encoded payload, EventMeta meta)
      throws IOException {
    String given = meta.id();
    String id = given == null ? UUID.randomUUID().toString() : given;
    AMQP.BasicProperties.Builder properties =
        new AMQP.BasicProperties.Builder()
            .messageId(id)
            .type(payload.type())
            .headers(new HashMap<>(meta.headers()))
            .deliveryMode(PERSISTENT);
    if (meta.hasDeadline()) {
      properties.expiration(Long.toString(Math.max(0, meta.remaining().toMillis())));
    }
    Open event = new Open(key, id, new CompletableFuture<>());
    long number = channel.getNextPublishSeqNo();
    open.put(number, event);
    try {
      channel.basicPublish(exchange, key, true, properties.build(), payload.bytes());
    } catch (IOException | RuntimeException e) {
      open.remove(number);
      throw e;
    }
    return event.stored();
  }

  // ---- on the connection's thread

  private void returned(Return message) {
    returned.add(message.getProperties().getMessageId());
  }

  private void confirmed(long number, boolean isMultiple, boolean isStored) {
    var ended = isMultiple ? open.headMap(number, true) : open.subMap(number, true, number, true);
    ended.forEach((each, event) -> {
      open.remove(each);
      end(event, isStored);
    });
  }

  private void end(Open event, boolean isStored) {
    if (returned.remove(event.id())) {
      event.stored().completeExceptionally(new NoHandlerException(event.key()));
    } else if (isStored) {
      event.stored().complete(event.id());
    } else {
      event.stored().completeExceptionally(new IOException("refused: key=" + event.key()));
    }
  }

  private void lost(ShutdownSignalException reason) {
    for (Long number : open.keySet()) {
      Open event = open.remove(number);
      if (event != null) {
        event.stored().completeExceptionally(new IOException("connection lost", reason));
      }
    }
  }

  @Override
  public void close() {
    try {
      boolean unused = channel.waitForConfirms(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ShutdownSignalException e) {
      // the events that are left fail with the connection
    }
    Connections.close(connection);
  }
}
