package dev.kermes.events;

import dev.kermes.client.RedisClient;
import dev.kermes.client.StreamRead;
import dev.kermes.client.StreamWorker;
import dev.kermes.client.reply.StreamEntry;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Inlet;
import dev.kermes.reactor.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The entries of a stream that others write, as events of a reactor, for competing consumers of a
 * group: at least once, and without an order over several workers. The payload is the map of the
 * entry's fields, the key {@code stream/NAME}. An entry whose handlers failed, or whose consumer
 * has gone, is given to any consumer of the group again after a while, until it succeeds.
 * Immutable: methods with an argument return a copy.
 *
 * <pre>{@code
 * reactor.on("stream/legacy", event -> store(event.meta().id(), event.payload()));
 * reactor.from(StreamSource.of(redis, "legacy", "billing", "host-1"));
 * }</pre>
 */
public final class StreamSource implements Source.AtLeastOnce {

  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

  private final RedisClient redis;
  private final StreamRead<String, String> what;
  private final String prefix;
  private final int workers;
  private final Duration retryAfter;

  private StreamSource(
      RedisClient redis,
      StreamRead<String, String> what,
      String prefix,
      int workers,
      Duration retryAfter) {
    this.redis = redis;
    this.what = what;
    this.prefix = prefix;
    this.workers = workers;
    this.retryAfter = retryAfter;
  }

  /**
   * The entries of a stream as a consumer of a group, which is created at the stream's beginning if
   * it does not exist.
   *
   * @param consumer a name that no other running consumer of the group has; with several workers a
   *     number is added
   */
  public static StreamSource of(RedisClient redis, String stream, String group, String consumer) {
    StreamRead<String, String> what = StreamRead.of(stream).as(group, consumer);
    return new StreamSource(redis, what, "stream", 1, RETRY_AFTER);
  }

  /** The same with another first segment of the events' keys. */
  public StreamSource prefix(String segments) {
    return new StreamSource(redis, what, segments, workers, retryAfter);
  }

  /** The same with several workers, each of which has one entry with handlers at a time. */
  public StreamSource workers(int count) {
    if (count < 1) throw new IllegalArgumentException("out of range: workers=" + count);
    return new StreamSource(redis, what, prefix, count, retryAfter);
  }

  /**
   * The same with another time after which an entry that was not acknowledged is given again; a
   * minute by default. It must be longer than handling 100 entries takes.
   */
  public StreamSource retryAfter(Duration time) {
    return new StreamSource(redis, what, prefix, workers, time);
  }

  @Override
  public Source.Reading start(Inlet inlet) {
    Reader reader = new Reader(inlet);
    reader.resume();
    return reader;
  }

  private final class Reader implements Source.Reading {
    private final Inlet inlet;
    private final ReentrantLock gate = new ReentrantLock();
    private final List<StreamWorker> running = new ArrayList<>();
    private boolean isPaused = true;

    Reader(Inlet inlet) {
      this.inlet = inlet;
    }

    @Override
    public void resume() {
      gate.lock();
      try {
        if (!isPaused) return;
        isPaused = false;
        running.clear();
        for (int i = 0; i < workers; i++) {
          running.add(redis.consume(workerOf(i), retryAfter, this::handle));
        }
      } finally {
        gate.unlock();
      }
    }

    private StreamRead<String, String> workerOf(int index) {
      String name = workers == 1 ? what.consumer() : what.consumer() + "-" + index;
      return what.as(String.valueOf(what.group()), String.valueOf(name));
    }

    private void handle(StreamEntry<String, String> entry) {
      CompletableFuture<Integer> delivery = deliver(entry);
      int unused = delivery.join();
    }

    private CompletableFuture<Integer> deliver(StreamEntry<String, String> entry) {
      gate.lock();
      try {
        if (isPaused) throw new IllegalStateException("paused");
        EventMeta meta = EventMeta.none().id(entry.id());
        return inlet.deliver(prefix + "/" + what.key(), entry.fields(), meta);
      } finally {
        gate.unlock();
      }
    }

    @Override
    public void pause() {
      gate.lock();
      try {
        isPaused = true;
        running.forEach(StreamWorker::stop);
      } finally {
        gate.unlock();
      }
    }

    /** A worker ends after the answers to its acknowledgements. */
    @Override
    public void flush(Duration timeout) {
      CompletableFuture<?>[] ends =
          running.stream()
              .map(worker -> worker.done().toCompletableFuture())
              .toArray(CompletableFuture[]::new);
      try {
        var unused = CompletableFuture.allOf(ends).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        return; // what was not acknowledged comes again
      }
    }

    @Override
    public void close() {
      pause();
    }

    @Override
    public Source.Health health() {
      for (StreamWorker worker : running) {
        CompletableFuture<?> end = worker.done().toCompletableFuture();
        if (end.isCompletedExceptionally()) {
          return new Source.Health(false, "stopped: " + failure(end));
        }
      }
      return Source.Health.UP;
    }

    private static String failure(CompletableFuture<?> end) {
      try {
        return String.valueOf(end.join());
      } catch (CompletionException e) {
        return String.valueOf(e.getCause());
      }
    }
  }
}
