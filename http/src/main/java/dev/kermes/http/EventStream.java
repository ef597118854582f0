package dev.kermes.http;

import dev.kermes.http.internal.body.BodyStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream of server-sent events to one client. It sends a comment every 15 seconds, so that
 * proxies do not close the connection. Any thread.
 */
public final class EventStream {

  /** Writes events; see {@link StandardHttpResponses#events}. */
  @FunctionalInterface
  public interface Writer {
    /** Sends events; the stream ends when this returns. */
    void writeTo(EventStream events) throws IOException, InterruptedException;
  }

  /** 15 seconds: less than the usual idle timeout of proxies. */
  static final Duration HEART_BEAT = Duration.ofSeconds(15);

  private static final byte[] COMMENT = {':', '\n', '\n'};

  private final OutputStream out;
  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch ended = new CountDownLatch(1);

  private EventStream(OutputStream out) {
    this.out = out;
  }

  static Response.BodyWriter body(Writer writer, Duration heartBeat) {
    return out -> {
      EventStream events = new EventStream(out);
      if (out instanceof BodyStream body) body.whenFailed(events.ended::countDown);
      out.flush();
      Thread beating = Thread.ofVirtual().start(() -> events.beat(heartBeat));
      try {
        writer.writeTo(events);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        events.ended.countDown();
        beating.interrupt();
      }
    };
  }

  /**
   * Sends an event; waits while the client reads nothing.
   *
   * @throws IOException if the client has disconnected or the stream has ended
   */
  public void send(ServerSentEvent event) throws IOException {
    write(event.text().getBytes(StandardCharsets.UTF_8));
  }

  /** Sends an event that has data only. */
  public void send(String data) throws IOException {
    send(ServerSentEvent.of(data));
  }

  private void write(byte[] bytes) throws IOException {
    lock.lock();
    try {
      if (hasEnded()) throw new IOException("event stream has ended");
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      ended.countDown();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the client has disconnected or {@link #end} was called. */
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Ends the stream, so that {@link #awaitEnd} returns. */
  public void end() {
    ended.countDown();
  }

  /**
   * Waits until the client has disconnected or {@link #end} is called. For writers that leave
   * sending to other threads.
   */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  private void beat(Duration pause) {
    try {
      while (!ended.await(pause.toNanos(), TimeUnit.NANOSECONDS)) write(COMMENT);
    } catch (IOException e) {
      // The client has disconnected, which ends the stream.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
