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
  private @Nullable String told;
  private long toldNanos;
  private int repetitions;

  ConnectionReporter(RedisOptions options) {
    this.options = options;
  }

  /** The shared connection stands. */
  void stands() {
    if (isDown) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - downSinceNanos);
      LOG.info("connected to {} after {} ms, attempts={}", options.where(), millis, attempts + 1);
    }
    isDown = false;
    attempts = 0;
    told = null;
    tell(observer -> observer.onConnected(options.address()));
  }

  /** The shared connection, which stood, is gone. */
  void lost(RedisException cause) {
    down();
    LOG.warn("{}; connecting again", cause.getMessage());
    tell(observer -> observer.onLost(options.address(), cause));
  }

  /** The shared connection could not be made; {@link #failed} has told the log. */
  void attempted(RedisException cause) {
    down();
    attempts++;
    tell(observer -> observer.onFailed(options.address(), cause, attempts));
  }

  private void down() {
    if (isDown) return;
    isDown = true;
    downSinceNanos = System.nanoTime();
  }

  /** Any connection could not be made. */
  void failed(RedisException cause) {
    String text = cause.text();
    long now = System.nanoTime();
    boolean isNew = !text.equals(told);
    if (!isNew && now - toldNanos < REPEAT_NANOS) {
      repetitions++;
      return;
    }
    if (isNew) LOG.warn("{}; trying again", text);
    else LOG.warn("{}; trying again (repeated {} times)", text, repetitions);
    told = text;
    toldNanos = now;
    repetitions = 0;
  }

  private void tell(Consumer<ConnectionObserver> what) {
    ConnectionObserver observer = options.connectionObserver();
    if (observer == null) return;
    try {
      what.accept(observer);
    } catch (RuntimeException e) { // the connection must not suffer from it
      LOG.warn("connection observer failed", e);
    }
  }
}
