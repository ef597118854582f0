package dev.kermes.client.internal.connection;

import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.address.AddressText;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a lost connection is made again: at once after a useful connection, otherwise after
 * a growing delay. A connection was useful if it served a command or lasted for a while; one that
 * only completed the handshake was not, so that a server that accepts and closes connections is not
 * flooded. Owned by the event loop.
 */
final class Reconnector {
  private static final Logger LOG = LoggerFactory.getLogger(Reconnector.class);

  private final RedisOptions options;
  private final Connector connector;
  private final Backoff backoff;
  private final Runnable connect;
  private boolean hasServed;
  private long readySinceNanos;

  /** {@code connect} makes the connection, on the event loop. */
  Reconnector(RedisOptions options, Connector connector, Runnable connect) {
    this.options = options;
    this.connector = connector;
    this.backoff = connector.backoff();
    this.connect = connect;
  }

  /** Notes that a connection is ready. */
  void onReady() {
    hasServed = false;
    readySinceNanos = System.nanoTime();
  }

  /** Notes that a command was answered. */
  void onReply() {
    hasServed = true;
  }

  /** Connects again after a loss; {@code wasReady} tells whether the connection had been ready. */
  void onLost(boolean wasReady) {
    long readyNanos = System.nanoTime() - readySinceNanos;
    if (wasReady && (hasServed || readyNanos >= options.backoffMax().toNanos())) {
      backoff.succeeded();
      connect.run();
      return;
    }
    long wait = backoff.nextMillis();
    LOG.debug("reconnecting to {} in {} ms", AddressText.of(options.address()), wait);
    connector.loop().schedule(connect, wait, TimeUnit.MILLISECONDS);
  }
}
