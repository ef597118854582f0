package dev.kermes.net;

import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;

/**
 * The end of an event loop. Its listeners are run by the thread that ends the loop, and not by
 * Netty's global executor, whose thread would keep the JVM alive for a second.
 */
final class Termination extends DefaultPromise<Void> {
  @Override
  protected EventExecutor executor() {
    return ImmediateEventExecutor.INSTANCE;
  }

  @Override
  protected void checkDeadLock() {} // that executor is everywhere
}
