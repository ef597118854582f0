package dev.kermes.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.Environment;

/**
 * Starts something when all beans exist, and lets its work end before they do. The higher phase
 * stops first: an HTTP server before the reactor that its handlers use.
 */
final class DrainingLifecycle implements SmartLifecycle {

  /** That of the web servers of Spring Boot that stop gracefully. */
  static final int HTTP_PHASE = DEFAULT_PHASE - 1024;

  static final int EVENTS_PHASE = HTTP_PHASE - 512;

  static final int REACTOR_PHASE = HTTP_PHASE - 1024;

  /** The default of Spring Boot. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final int phase;
  private final Runnable start;
  private final Runnable drain;
  private volatile boolean isRunning;

  /**
   * A lifecycle.
   *
   * @param drain waits for the work, in a thread of its own
   */
  DrainingLifecycle(int phase, Runnable start, Runnable drain) {
    this.phase = phase;
    this.start = start;
    this.drain = drain;
  }

  /** The time that Spring Boot gives to each phase of the shutdown. */
  static Duration timeout(Environment environment) {
    return Binder.get(environment)
        .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
        .orElse(TIMEOUT);
  }

  @Override
  public void start() {
    start.run();
    isRunning = true;
  }

  @Override
  public void stop() {
    isRunning = false;
    drain.run();
  }

  @Override
  public void stop(Runnable callback) {
    Thread.ofVirtual()
        .name("kermes-drain")
        .start(() -> {
          try {
            stop();
          } finally {
            callback.run();
          }
        });
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  @Override
  public int getPhase() {
    return phase;
  }
}
