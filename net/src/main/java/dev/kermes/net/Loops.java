package dev.kermes.net;

import io.netty.channel.Channel;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Event loops that end quietly and at once. Netty's own tell their group of it on its global
 * executor, whose thread then keeps the JVM alive for a second; and an in-VM channel that is closed
 * after the loop of its peer has ended logs a warning with a stack trace.
 */
class Loops extends MultiThreadIoEventLoopGroup {

  Loops(int threads, ThreadFactory factory, IoHandlerFactory handlers) {
    super(threads, factory, handlers);
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... unused) {
    return new Loop(this, executor, handlers);
  }

  /** One of them. */
  static class Loop extends SingleThreadIoEventLoop {
    private final Promise<?> end = new Termination();
    private final AtomicInteger awaited = new AtomicInteger();
    private long endNanosMax;

    Loop(Loops parent, Executor executor, IoHandlerFactory handlers) {
      super(parent, executor, handlers);
    }

    /** Does not end before {@code peer} is closed, or a second has passed. */
    void outlive(Channel peer) {
      awaited.getAndIncrement();
      peer.closeFuture()
          .addListener(closed -> {
            awaited.getAndDecrement();
            if (!isShutdown()) wakeup(inEventLoop());
          });
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
      end.trySuccess(null); // nothing but the clean-up is left, and that cannot be overridden
    }
  }
}
