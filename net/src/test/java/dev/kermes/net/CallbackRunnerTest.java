package dev.kermes.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The callback runner of a loop without traffic. */
@Timeout(60)
class CallbackRunnerTest {
  private final LendableLoop loop =
      Transport.bestForFewConnections().newLendableLoop("callbackRunner-test");
  private final CountDownLatch lastRan = new CountDownLatch(1);
  private final AtomicBoolean isEnding = new AtomicBoolean();
  private final AtomicBoolean hasEnded = new AtomicBoolean();
  private final CallbackRunner callbackRunner =
      new CallbackRunner(loop, this::endsWhileAsked, "callbackRunner", Runnable::run);

  /** The loop's last turn happens while the runner asks whether the loop has ended. */
  private boolean endsWhileAsked() {
    if (!isEnding.getAndSet(false)) return hasEnded.get();
    Thread turn = Thread.ofPlatform().start(() -> callbackRunner.submit(lastRan::countDown));
    try {
      turn.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    hasEnded.set(true);
    return true;
  }

  @Test
  void submit_justBeforeTheLoopEnds_isRun() throws InterruptedException {
    try {
      callbackRunner.submit(() -> {}); // runs on the fallback and is a hit for the heuristic
      callbackRunner.submit(() -> isEnding.set(true));
      assertThat(lastRan.await(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
