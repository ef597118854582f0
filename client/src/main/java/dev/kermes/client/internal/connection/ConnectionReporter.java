package dev.kermes.client.internal.connection;

import dev.kermes.client.ConnectionObserver;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.address.AddressText;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of the connections to one address to the log and to the client's {@link
 * ConnectionObserver}. The log gets one line when the shared connection is lost and one when it is
 * back, and, while attempts keep failing for the same reason, one line a minute. Owned by the event
 * loop.
 */
public final class ConnectionReporter {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionReporter.class);
  private static final long REPEAT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final RedisOptions options;
  private boolean isDown;
  private long downSinceNanos;
  private int attempts;
  private @Nullable String lastFailure;
  private long loggedNanos;
  private int repetitions;

  ConnectionReporter(RedisOptions options) {
    this.options = options;
  }

  /** The shared connection is ready. */
  public void onConnected() {
    if (isDown) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - downSinceNanos);
      LOG.info(
          "connected to {} after {} ms, attempts={}",
          AddressText.of(options.address()),
          millis,
          attempts + 1);
    }
    isDown = false;
    attempts = 0;
    lastFailure = null;
    notifyObserver(observer -> observer.onConnected(options.address()));
  }

  /** The shared connection was ready and is lost. */
  public void onLost(RedisException cause) {
    markDown();
    LOG.warn("{}; reconnecting", cause.getMessage());
    notifyObserver(observer -> observer.onLost(options.address(), cause));
  }

  /** An attempt to make the shared connection failed; {@link #logFailure} has logged it. */
  public void onAttemptFailed(RedisException cause) {
    markDown();
    attempts++;
    notifyObserver(observer -> observer.onFailed(options.address(), cause, attempts));
  }

  private void markDown() {
    if (isDown) return;
    isDown = true;
    downSinceNanos = System.nanoTime();
  }

  /** Logs that an attempt to make a connection, shared or not, has failed. */
  void logFailure(RedisException cause) {
    String text = cause.getMessage();
    long now = System.nanoTime();
    boolean isNew = !text.equals(lastFailure);
    if (!isNew && now - loggedNanos < REPEAT_NANOS) {
      repetitions++;
      return;
    }
    if (isNew) LOG.warn("{}; trying again", text);
    else LOG.warn("{}; trying again (repeated {} times)", text, repetitions);
    lastFailure = text;
    loggedNanos = now;
    repetitions = 0;
  }

  private void notifyObserver(Consumer<ConnectionObserver> what) {
    ConnectionObserver observer = options.connectionObserver();
    if (observer == null) return;
    try {
      what.accept(observer);
    } catch (RuntimeException e) { // an observer must not harm the connection
      LOG.warn("connection observer failed", e);
    }
  }
}
