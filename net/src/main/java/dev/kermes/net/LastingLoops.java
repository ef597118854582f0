package dev.kermes.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Event loops that an OutOfMemoryError does not end. Netty's own end by any Error that is thrown
 * outside a handler, such as while a connection is accepted, and all their connections wait for
 * ever. What was being done is lost; with it goes at most the connection that it was done for.
 */
class LastingLoops extends MultiThreadIoEventLoopGroup {

  LastingLoops(int loops, ThreadFactory threads, IoHandlerFactory handlers) {
    super(loops, threads, handlers);
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... unused) {
    return new Loop(this, executor, handlers);
  }

  /** One of them. */
  static class Loop extends SingleThreadIoEventLoop {

    private static final InternalLogger LOG = InternalLoggerFactory.getInstance(LastingLoops.class);

    /**
     * 2 ms: so long tasks may keep the loop from looking at its sockets. Netty's second is too much
     * where each task of a long pipeline leaves the next one behind.
     */
    private static final long TASK_NANOS_MAX = 2_000_000;

    Loop(LastingLoops parent, Executor executor, IoHandlerFactory handlers) {
      super(parent, executor, handlers);
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
        LOG.warn("an event loop ran out of memory, and goes on");
      } catch (OutOfMemoryError e) {
        // There is no memory for a line of the log either.
      }
    }
  }
}
