package dev.kermes.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CriticalThreadsTest {

  private final CriticalThreads threads = new CriticalThreads();
  private final AtomicInteger lost = new AtomicInteger();

  @BeforeEach
  void listen() {
    threads.onLost(lost::incrementAndGet);
  }

  private void run(Runnable work) throws InterruptedException {
    Thread thread = threads.lasting("test", Thread::new).newThread(work);
    thread.setUncaughtExceptionHandler((unused, error) -> {});
    thread.start();
    thread.join();
  }

  @Test
  void lasting_endsByErrorOrWithout_isLost() throws InterruptedException {
    run(() -> {
      throw new OutOfMemoryError("of the test");
    });
    assertThat(lost).hasValue(1);
    run(() -> {}); // as a loop of Netty's, which has noted the error and said nothing
    assertThat(lost).hasValue(2);
  }

  @Test
  void lasting_endsWhenItMay_isNotLost() throws InterruptedException {
    threads.mayEnd();
    run(() -> {});
    assertThat(lost).hasValue(0);
  }

  @Test
  void watched_mayEndByItself_notByAnError() {
    threads.watched("work", () -> {}).run();
    assertThat(lost).hasValue(0);
    Runnable failing =
        threads.watched(
            "work",
            () -> {
              throw new OutOfMemoryError("of the test");
            });
    assertThatThrownBy(failing::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(lost).hasValue(1);
  }
}
