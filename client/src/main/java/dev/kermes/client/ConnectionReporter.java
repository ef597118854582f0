package dev.kermes.client;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log and the client's {@link ConnectionObserver} what becomes of the connections to one
 * address: one line when the shared one is lost and one when it is back, and of attempts in vain
 * one line a minute as long as they fail for the same reason. Owned by the event loop.
 */
final class ConnectionReporter {
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

  /** The shared connection stands. */
  void onConnected() {
    if (isDown) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - downSinceNanos);
      LOG.info("connected to {} after {} ms, attempts={}", options.addressText(), millis, attempts + 1);
    }
    isDown = false;
    attempts = 0;
    lastFailure = null;
    notifyObserver(observer -> observer.onConnected(options.address()));
  }

  /** The shared connection, which stood, is gone. */
  void onLost(RedisException cause) {
    markDown();
    LOG.warn("{}; connecting again", cause.getMessage());
    notifyObserver(observer -> observer.onLost(options.address(), cause));
  }

  /** The shared connection could not be made; {@link #logFailure} has lastFailure the log. */
  void onAttemptFailed(RedisException cause) {
    markDown();
    attempts++;
    notifyObserver(observer -> observer.onFailed(options.address(), cause, attempts));
  }

  private void markDown() {
    if (isDown) return;
    isDown = true;
    downSinceNanos = System.nanoTime();
  }

  /** Any connection could not be made. */
  void logFailure(RedisException cause) {
    String text = cause.text();
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
    } catch (RuntimeException e) { // the connection must not suffer from it
      LOG.warn("connection observer failed", e);
    }
  }
}
