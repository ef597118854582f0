package dev.kermes.testkit;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The servers that the test classes of this JVM share: as many as there were classes at the same
 * time. Any thread.
 */
final class ServerPool {

  /** The one pool; its servers end with the JVM, unless {@link #closeFree} ends them before. */
  static final ServerPool OF_JVM = new ServerPool();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(OF_JVM::closeFree, "kermes-testkit-end"));
  }

  private final Deque<TestServer> free = new ArrayDeque<>();
  private int taken;

  private ServerPool() {}

  synchronized TestServer take() {
    TestServer server = free.isEmpty() ? start() : free.removeLast();
    taken++;
    return server;
  }

  private TestServer start() {
    if (TestServer.isReal() && taken > 0) {
      throw new IllegalStateException(
          TestServer.URL_PROPERTY
              + " names one server, but two test classes need one at the same time: run classes one"
              + " after another, in JUnit by"
              + " junit.jupiter.execution.parallel.mode.classes.default=same_thread");
    }
    return TestServer.start();
  }

  synchronized void giveBack(TestServer server) {
    free.addLast(server);
    taken--;
  }

  synchronized void closeFree() {
    for (TestServer each : free) each.close();
    free.clear();
  }
}
