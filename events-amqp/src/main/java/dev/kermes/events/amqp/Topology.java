package dev.kermes.events.amqp;

import com.rabbitmq.client.Channel;
import java.io.IOException;

/** Declares queues, exchanges and bindings, each time when a connection has been opened. */
@FunctionalInterface
public interface Topology {

  /** Declares them; a failure closes the connection, which is then opened again. */
  void declare(Channel channel) throws IOException;
}
