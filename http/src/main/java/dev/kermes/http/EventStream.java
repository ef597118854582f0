package dev.kermes.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Events on their way to one client, with a comment now and then that keeps proxies from closing.
 * Any thread.
 */
public final class EventStream {

  /** Writes events; see {@link StandardHttpResponses#events}. */
  @FunctionalInterface
  public interface Writer {
    /** Sends events; the stream ends when this returns. */
    void writeTo(EventStream events) throws IOException, InterruptedException;
  }

  /** 15 seconds: less than proxies usually wait. */
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

  /** Sends an event; waits while the client takes nothing, throws if it is gone. */
  public void send(ServerSentEvent event) throws IOException {
    write(event.text().getBytes(StandardCharsets.UTF_8));
  }

  /** Sends an event of data alone. */
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

  /** Whether the client is gone, or {@link #end} was called. */
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Lets {@link #awaitEnd} return. */
  public void end() {
    ended.countDown();
  }

  /** Waits until the client is gone, or {@link #end} is called: for events that others send. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  private void beat(Duration pause) {
    try {
      while (!ended.await(pause.toNanos(), TimeUnit.NANOSECONDS)) write(COMMENT);
    } catch (IOException e) {
      // The client is gone, which ends the stream.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
