package dev.kermes.server.engine;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the threads that a server needs: event loops, and the thread that syncs the append only
 * file to the disk. An Error such as OutOfMemoryError ends a thread, and Netty does not report that
 * a loop has ended: its clients would wait forever. Any thread.
 */
public final class CriticalThreads {

  private static final Logger LOG = LoggerFactory.getLogger(CriticalThreads.class);

  /** Reserved memory for a log line, released when memory has run out. */
  private static final int RESERVE = 256 * 1024;

  private final AtomicReference<byte @Nullable []> reserve =
      new AtomicReference<>(new byte[RESERVE]);
  private volatile boolean mayEnd;
  private volatile Runnable whenLost = () -> {};

  /** Sets the action to run when a thread has ended; memory may be short then. */
  public void onLost(Runnable action) {
    whenLost = action;
  }

  /** Allows the threads to end, since the server closes. */
  public void mayEnd() {
    mayEnd = true;
  }

  /** Creates threads by {@code threads} that may not end before the server closes. */
  public ThreadFactory lasting(String name, ThreadFactory threads) {
    return work ->
        threads.newThread(() -> {
          try {
            work.run();
          } finally {
            if (!mayEnd) lost(name);
          }
        });
  }

  /** Wraps work that may end normally, but not by an error. */
  public Runnable watched(String name, Runnable work) {
    return () -> {
      boolean isDone = false;
      try {
        work.run();
        isDone = true;
      } finally {
        if (!isDone) lost(name);
      }
    };
  }

  /** Reports that a thread, and with it the server, has failed. */
  public void lost(String name) {
    reserve.set(null);
    try {
      LOG.error(
          "a thread has ended that the server cannot do without: {}. If memory has run out: give the"
              + " JVM more with -Xmx, or set maxmemory",
          name);
    } finally {
      whenLost.run();
    }
  }
}
