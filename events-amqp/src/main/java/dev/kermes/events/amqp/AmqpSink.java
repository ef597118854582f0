package dev.kermes.events.amqp;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.kermes.events.PayloadCodec;
import dev.kermes.events.PayloadTypes;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Sink;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that gets what is emitted, as persistent messages whose routing key is the event's
 * key. The future of an event completes with its id when the broker has confirmed it; it fails with
 * {@link dev.kermes.reactor.NoHandlerException} if no queue gets it, and with {@link IOException}
 * if the broker refuses it, cannot be reached or is lost before: then it may be stored. A lost
 * connection is opened again by the next event. Any thread; an emitter waits for the network.
 *
 * <pre>{@code
 * AmqpSink orders = AmqpSink.of(factory, "orders");
 * reactor.to("orders/**", orders);
 * }</pre>
 */
public final class AmqpSink implements Sink.AtLeastOnce, AutoCloseable {

  private final ConnectionFactory factory;
  private final String exchange;
  private final PayloadCodec payloads;
  private final Topology topology;

  /** Held while the connection is opened or used. */
  private final ReentrantLock sending = new ReentrantLock();

  private @Nullable Publisher open;
  private boolean isClosed;

  private AmqpSink(
      ConnectionFactory factory, String exchange, PayloadCodec payloads, Topology topology) {
    this.factory = factory;
    this.exchange = exchange;
    this.payloads = payloads;
    this.topology = topology;
  }

  /**
   * A sink for an exchange; it connects with the first event.
   *
   * @param factory is copied; its automatic recovery is not used
   * @param exchange empty for the default one, whose routing keys are names of queues
   */
  public static AmqpSink of(ConnectionFactory factory, String exchange) {
    return new AmqpSink(
        Connections.withoutRecovery(factory), exchange, PayloadTypes.standard(), channel -> {});
  }

  /** Another sink, not connected yet, with this codec. */
  public AmqpSink payloads(PayloadCodec codec) {
    return new AmqpSink(factory, exchange, codec, topology);
  }

  /** Another sink, not connected yet, with queues, exchanges and bindings that it declares. */
  public AmqpSink topology(Topology declares) {
    return new AmqpSink(factory, exchange, payloads, declares);
  }

  /**
   * Publishes an event; the metadata's id and headers are those of the message, and the time until
   * its deadline is the message's expiration.
   */
  @Override
  public CompletableFuture<String> emit(String key, Object payload, EventMeta meta) {
    sending.lock();
    try {
      PayloadCodec.Encoded encoded = payloads.encode(payload);
      return publisher().publish(key, encoded, meta);
    } catch (IOException | TimeoutException | RuntimeException e) {
      boolean isLost = e instanceof TimeoutException || e instanceof ShutdownSignalException;
      return CompletableFuture.failedFuture(isLost ? new IOException("connection lost", e) : e);
    } finally {
      sending.unlock();
    }
  }

  private Publisher publisher() throws IOException, TimeoutException {
    if (isClosed) throw new IOException("closed: exchange=" + exchange);
    Publisher current = open;
    if (current == null || !current.isOpen()) {
      current = Publisher.open(factory, exchange, topology);
      open = current;
    }
    return current;
  }

  /**
   * Waits 10 seconds at most until the broker has confirmed all events, and ends the connection.
   */
  @Override
  public void close() {
    sending.lock();
    try {
      isClosed = true;
      if (open != null) open.close();
    } finally {
      sending.unlock();
    }
  }
}
