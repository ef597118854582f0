package dev.kermes.net;

import io.netty.channel.Channel;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Event loops that survive an OutOfMemoryError and that end quietly and at once. Any Error thrown
 * outside a handler, for example while a connection is accepted, ends one of Netty's own loops, and
 * all its connections then wait for ever. Here only the work in progress is lost, and with it at
 * most the connection that it was done for.
 *
 * <p>When Netty's own loops end, they notify their group on the global executor, whose thread then
 * keeps the JVM alive for a second. Also, an in-VM channel that is closed after its peer's loop has
 * ended logs a warning with a stack trace.
 */
class Loops extends MultiThreadIoEventLoopGroup {

  Loops(int threads, ThreadFactory factory, IoHandlerFactory handlers) {
    super(threads, factory, handlers);
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... unused) {
    return new Loop(this, executor, handlers);
  }

  /** One event loop of the group. */
  static class Loop extends SingleThreadIoEventLoop {

    private static final InternalLogger LOG = InternalLoggerFactory.getInstance(Loops.class);

    /**
     * 2 ms: how long tasks may keep the loop from checking its sockets. Netty's second is too long
     * where each task of a long pipeline queues the next one.
     */
    private static final long TASK_NANOS_MAX = 2_000_000;

    private final Promise<?> end = new Termination();
    private final AtomicInteger awaited = new AtomicInteger();
    private long endNanosMax;

    Loop(Loops parent, Executor executor, IoHandlerFactory handlers) {
      super(parent, executor, handlers);
    }

    /** Keeps this loop alive until {@code peer} is closed or a second has passed. */
    void outlive(Channel peer) {
      awaited.getAndIncrement();
      InVmServerChannel.afterClose(
          peer,
          () -> {
            awaited.getAndDecrement();
            if (!isShutdown()) wakeup(inEventLoop());
          });
    }

    @Override
    protected int runIo() {
      try {
        return super.runIo();
      } catch (OutOfMemoryError e) {
        warn();
        return 0;
      }
    }

    @Override
    protected boolean runAllTasks(long timeoutNanos) {
      try {
        return super.runAllTasks(Math.min(timeoutNanos, TASK_NANOS_MAX));
      } catch (OutOfMemoryError e) {
        warn();
        return true;
      }
    }

    private static void warn() {
      try {
        LOG.warn("an event loop ran out of memory and continues");
      } catch (OutOfMemoryError e) {
        // Not enough memory for the log line either.
      }
    }

    @Override
    protected boolean confirmShutdown() {
      boolean isConfirmed = super.confirmShutdown();
      if (!isConfirmed || awaited.get() == 0) return isConfirmed;
      long now = System.nanoTime();
      if (endNanosMax == 0) endNanosMax = now + LendableLoop.PEERS_NANOS_MAX;
      return now - endNanosMax >= 0;
    }

    @Override
    public Future<?> terminationFuture() {
      return end;
    }

    @Override
    protected void run() {
      super.run();
      end.trySuccess(null); // only the clean-up is left, which cannot be overridden
    }
  }
}
