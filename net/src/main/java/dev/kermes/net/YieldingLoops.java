package dev.kermes.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;

/**
 * Event loops that yield the processor to other threads before they poll for events. Where there
 * are more busy threads than processors, more events have arrived afterwards, and one system call
 * fetches them all. docs/decisions/0026-yielding-loops.md has the measurements.
 */
final class YieldingLoops extends Loops {

  YieldingLoops(int threads, String threadName, IoHandlerFactory handlers) {
    super(threads, new DefaultThreadFactory(threadName, true), handlers);
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... unused) {
    return new YieldingLoop(this, executor, handlers);
  }

  private static final class YieldingLoop extends Loop {

    YieldingLoop(YieldingLoops parent, Executor executor, IoHandlerFactory handlers) {
      super(parent, executor, handlers);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // correctness does not depend on which thread runs
    protected int runIo() {
      if (!hasTasks()) Thread.yield();
      return super.runIo();
    }
  }
}
