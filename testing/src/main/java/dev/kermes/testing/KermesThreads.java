package dev.kermes.testing;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/** The threads of servers and clients; those of virtual threads and of the JVM come and go. */
public final class KermesThreads {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private KermesThreads() {}

  /** Those that run now. */
  public static Set<Thread> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("kermes"))
        .collect(Collectors.toSet());
  }

  /**
   * Those that did not run {@code before} and do not end. A thread that has told the caller of
   * {@code close} that its work is over still needs a moment to end.
   */
  public static Set<Thread> leftSince(Set<Thread> before) throws InterruptedException {
    Set<Thread> left = running();
    left.removeAll(before);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (Thread each : left) {
      each.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }
    left.removeIf(each -> !each.isAlive());
    return left;
  }
}
