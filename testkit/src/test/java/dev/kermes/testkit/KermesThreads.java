package dev.kermes.testkit;

import java.util.Set;
import java.util.stream.Collectors;

/** The threads of servers and clients; those of virtual threads and of the JVM come and go. */
final class KermesThreads {

  private KermesThreads() {}

  /** Those that run now. */
  static Set<Thread> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("kermes"))
        .collect(Collectors.toSet());
  }
}
