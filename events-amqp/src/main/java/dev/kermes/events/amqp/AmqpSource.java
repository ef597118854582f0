package dev.kermes.events.amqp;

import com.rabbitmq.client.ConnectionFactory;
import dev.kermes.events.PayloadCodec;
import dev.kermes.events.PayloadTypes;
import dev.kermes.reactor.Inlet;
import dev.kermes.reactor.Source;

/**
 * The messages of a queue, as events of a reactor: at least once, and in order per key as long as
 * the queue has one consumer. The key is {@code amqp/} and the routing key. A message is
 * acknowledged when its handlers have succeeded, and rejected when one has failed in spite of its
 * retries; the broker then moves it to the queue's dead letter exchange, or drops it if there is
 * none. Messages that no handler matches or that cannot be decoded are rejected, too. A lost
 * connection is opened again. Immutable: methods with an argument return a copy.
 *
 * <pre>{@code
 * reactor.on("amqp/orders", event -> store(event.meta().id(), event.payload()));
 * reactor.from(AmqpSource.of(factory, "orders"));
 * }</pre>
 */
public final class AmqpSource implements Source.AtLeastOnce {

  private static final int PREFETCH = 64;
  private static final int PREFETCH_MAX = 65_535;

  private final ConnectionFactory factory;
  private final String queue;
  private final String prefix;
  private final int prefetch;
  private final PayloadCodec payloads;
  private final Topology topology;

  private AmqpSource(
      ConnectionFactory factory,
      String queue,
      String prefix,
      int prefetch,
      PayloadCodec payloads,
      Topology topology) {
    this.factory = factory;
    this.queue = queue;
    this.prefix = prefix;
    this.prefetch = prefetch;
    this.payloads = payloads;
    this.topology = topology;
  }

  /**
   * The messages of a queue.
   *
   * @param factory is copied; its automatic recovery is not used
   */
  public static AmqpSource of(ConnectionFactory factory, String queue) {
    return new AmqpSource(
        Connections.withoutRecovery(factory),
        queue,
        "amqp",
        PREFETCH,
        PayloadTypes.standard(),
        channel -> {});
  }

  /** The same with other first segments of the keys; with an empty text the routing key is all. */
  public AmqpSource prefix(String segments) {
    return new AmqpSource(factory, queue, segments, prefetch, payloads, topology);
  }

  /**
   * The same with another number of messages that the broker sends ahead of their acknowledgement,
   * which is also how many handlers have or wait for; 64 by default, at most 65,535.
   */
  public AmqpSource prefetch(int messages) {
    if (messages < 1 || messages > PREFETCH_MAX) {
      throw new IllegalArgumentException("out of range: prefetch=" + messages);
    }
    return new AmqpSource(factory, queue, prefix, messages, payloads, topology);
  }

  /**
   * The same with another codec. The type of a payload is the property {@code type} of its message;
   * without one it is {@code text} if the content type is that of a text or of JSON, and else
   * {@code bytes}.
   */
  public AmqpSource payloads(PayloadCodec codec) {
    return new AmqpSource(factory, queue, prefix, prefetch, codec, topology);
  }

  /** The same with queues, exchanges and bindings that are declared before the queue is read. */
  public AmqpSource topology(Topology declares) {
    return new AmqpSource(factory, queue, prefix, prefetch, payloads, declares);
  }

  @Override
  public Source.Reading start(Inlet inlet) {
    return QueueReading.start(this, inlet);
  }

  ConnectionFactory factory() {
    return factory;
  }

  String queue() {
    return queue;
  }

  int prefetch() {
    return prefetch;
  }

  PayloadCodec payloads() {
    return payloads;
  }

  Topology topology() {
    return topology;
  }

  /** The key of the events of a routing key. */
  String key(String routingKey) {
    return prefix.isEmpty() ? routingKey : prefix + "/" + routingKey;
  }
}
