package dev.kermes.http.internal.websocket;

import dev.kermes.http.internal.connection.HandlerThreads;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time, in order, on a virtual thread that ends when none is left. Any thread.
 */
public final class SerialExecutor {

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean isRunning;

  void add(Runnable work) {
    synchronized (waiting) {
      waiting.add(work);
      if (isRunning) return;
      isRunning = true;
    }
    HandlerThreads.start(this::run);
  }

  private void run() {
    for (Runnable work = next(); work != null; work = next()) work.run();
  }

  private @Nullable Runnable next() {
    synchronized (waiting) {
      Runnable next = waiting.poll();
      isRunning = next != null;
      return next;
    }
  }
}
