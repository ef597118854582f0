package dev.kermes.net;

import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;

/**
 * The future of an event loop's end. The thread that ends the loop runs its listeners; Netty's
 * global executor would keep the JVM alive for a second.
 */
final class Termination extends DefaultPromise<Void> {
  @Override
  protected EventExecutor executor() {
    return ImmediateEventExecutor.INSTANCE;
  }

  @Override
  protected void checkDeadLock() {} // the immediate executor is always "in" its event loop
}
