package dev.kermes.events.amqp;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;

/** Connections of RabbitMQ's client. */
final class Connections {

  /** 5 seconds for the broker's answer at the end of a connection. */
  private static final int CLOSE_MILLIS = 5_000;

  private Connections() {}

  /** A copy, since a recovered connection would mix messages from before and after its loss. */
  static ConnectionFactory withoutRecovery(ConnectionFactory factory) {
    ConnectionFactory copy = factory.clone();
    copy.setAutomaticRecoveryEnabled(false);
    return copy;
  }

  /** Closes a connection, which may be lost already. */
  static void close(Connection connection) {
    try {
      connection.close(CLOSE_MILLIS);
    } catch (IOException | ShutdownSignalException e) {
      connection.abort();
    }
  }
}
