package dev.kermes.server.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeyspaceLockTest {

  private static final int THREADS = 6;
  private static final int TURNS = 50_000;

  private final KeyspaceLock lock = new KeyspaceLock();
  private long count;

  @Test
  void onlyOneThreadHoldsItAtATime() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) threads.add(Thread.ofPlatform().start(this::countTurns));
    for (Thread thread : threads) thread.join();

    assertThat(count).isEqualTo((long) THREADS * TURNS);
    assertThat(lock.turns()).isEqualTo((long) THREADS * TURNS);
    assertThat(lock.hasWaiters()).isFalse();
  }

  private void countTurns() {
    for (int i = 0; i < TURNS; i++) {
      lock.lock();
      count++;
      lock.unlock(0);
    }
  }

  @Test
  void theHolderWakesAThreadThatIsParked() throws InterruptedException {
    lock.lock();
    Thread waiter = Thread.ofPlatform().start(this::countOnce);
    awaitParked(waiter);
    assertThat(lock.hasWaiters()).isTrue();

    lock.unlock(0);

    waiter.join(Duration.ofSeconds(30));
    assertThat(count).isEqualTo(1);
    assertThat(lock.hasWaiters()).isFalse();
  }

  @Test
  void anInterruptedThreadStillWaitsAndStaysInterrupted() throws InterruptedException {
    boolean[] wasInterrupted = new boolean[1];
    lock.lock();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> {
              countOnce();
              wasInterrupted[0] = Thread.currentThread().isInterrupted();
            });
    awaitParked(waiter);

    waiter.interrupt();
    awaitParked(waiter);
    assertThat(count).isZero();
    lock.unlock(0);

    waiter.join(Duration.ofSeconds(30));
    assertThat(count).isEqualTo(1);
    assertThat(wasInterrupted[0]).isTrue();
  }

  @Test
  void itsHolderCannotTakeItAgain() {
    lock.lock();

    assertThatThrownBy(lock::lock).isInstanceOf(IllegalMonitorStateException.class);

    lock.unlock(0);
    lock.lock();
    lock.unlock(0);
    assertThat(lock.turns()).isEqualTo(2);
  }

  private void countOnce() {
    lock.lock();
    count++;
    lock.unlock(0);
  }

  private static void awaitParked(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.WAITING) Thread.sleep(1);
  }
}
