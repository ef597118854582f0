package dev.kermes.server.engine;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that a server cannot do without: event loops, and who brings the append only file to the
 * disk. An Error such as OutOfMemoryError ends a thread, and Netty tells nobody that a loop has
 * ended: its clients would wait for ever. Any thread.
 */
public final class CriticalThreads {

  private static final Logger LOG = LoggerFactory.getLogger(CriticalThreads.class);

  /** Memory for a log line, released when there is no other. */
  private static final int RESERVE = 256 * 1024;

  private final AtomicReference<byte @Nullable []> reserve =
      new AtomicReference<>(new byte[RESERVE]);
  private volatile boolean mayEnd;
  private volatile Runnable whenLost = () -> {};

  /** Sets what is done when one has ended; memory may be short then. */
  public void onLost(Runnable action) {
    whenLost = action;
  }

  /** The server closes: from now on they may end. */
  public void mayEnd() {
    mayEnd = true;
  }

  /** Makes threads as {@code threads} does, which may not end before the server does. */
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

  /** Work that ends when it is done, and not by an error. */
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

  /** One has ended, and with it the server. */
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
