package dev.kermes.events.amqp;

import com.rabbitmq.client.ShutdownSignalException;
import dev.kermes.reactor.Inlet;
import dev.kermes.reactor.Source;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A queue that is read. One thread opens a {@link Session}, waits until it has ended, and opens the
 * next one. While it is paused, messages that arrive are held; there are no more than the prefetch.
 * Any thread.
 */
final class QueueReading implements Source.Reading {

  private static final long BACKOFF_FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long BACKOFF_MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final AmqpSource source;
  private final Inlet inlet;
  private final Thread thread;

  /** Shared by messages that begin, exclusive for a pause. */
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

  /** The messages that arrived during a pause; under its own monitor. */
  private final Queue<Runnable> held = new ArrayDeque<>();

  private volatile boolean isPaused;
  private volatile boolean isClosed;
  private volatile @Nullable Throwable failure = new IOException("not connected yet");
  private volatile @Nullable Session session;

  private QueueReading(AmqpSource source, Inlet inlet) {
    this.source = source;
    this.inlet = inlet;
    thread = Thread.ofVirtual().name("kermes-amqp-" + source.queue()).unstarted(this::run);
  }

  static QueueReading start(AmqpSource source, Inlet inlet) {
    QueueReading reading = new QueueReading(source, inlet);
    reading.thread.start();
    return reading;
  }

  private void run() {
    long backoff = BACKOFF_FIRST_NANOS;
    while (!isClosed) {
      try (Session opened = Session.open(source, this)) {
        session = opened;
        failure = null;
        backoff = BACKOFF_FIRST_NANOS;
        failure = opened.awaitEnd();
      } catch (IOException | TimeoutException | ShutdownSignalException e) {
        failure = e;
      } catch (InterruptedException e) {
        return; // closed
      }
      LockSupport.parkNanos(this, isClosed ? 0 : backoff);
      backoff = Math.min(2 * backoff, BACKOFF_MAX_NANOS);
    }
  }

  Inlet inlet() {
    return inlet;
  }

  /** Begins a message, now or after the pause. */
  void begin(Runnable message) {
    gate.readLock().lock();
    try {
      if (!isPaused) {
        message.run();
        return;
      }
    } finally {
      gate.readLock().unlock();
    }
    hold(message);
  }

  private void hold(Runnable message) {
    synchronized (held) {
      if (isPaused) {
        held.add(message);
        return;
      }
    }
    begin(message);
  }

  @Override
  public void pause() {
    gate.writeLock().lock();
    try {
      isPaused = true;
    } finally {
      gate.writeLock().unlock();
    }
  }

  @Override
  public void resume() {
    synchronized (held) {
      isPaused = false;
      for (Runnable each : held) Thread.startVirtualThread(() -> begin(each));
      held.clear();
    }
  }

  /** Messages that have not been acknowledged go back to the queue, at their old places. */
  @Override
  public void close() {
    isClosed = true;
    Session open = session;
    if (open != null) open.close();
    thread.interrupt();
  }

  @Override
  public Source.Health health() {
    Throwable last = failure;
    return last == null ? Source.Health.UP : new Source.Health(false, last.toString());
  }
}
