package dev.kermes.testkit.junit;

import dev.kermes.testkit.TestServer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The servers of a JVM's tests: as many as there were classes at the same time. Ends with the last
 * test. Any thread.
 */
@SuppressWarnings("deprecation") // JUnit 5.12 closes nothing else, and has no computeIfAbsent
final class ServerPool implements ExtensionContext.Store.CloseableResource, AutoCloseable {

  private final List<TestServer> all = new ArrayList<>();
  private final Deque<TestServer> free = new ArrayDeque<>();

  static ServerPool of(ExtensionContext context) {
    ExtensionContext.Store store = context.getRoot().getStore(KermesExtension.NAMESPACE);
    return Objects.requireNonNull(
        store.getOrComputeIfAbsent(ServerPool.class, key -> new ServerPool(), ServerPool.class));
  }

  synchronized TestServer take() {
    if (!free.isEmpty()) return free.removeLast();
    if (TestServer.isReal() && !all.isEmpty()) {
      throw new IllegalStateException(
          TestServer.URL_PROPERTY
              + " names one server, but two test classes need one at the same time: run classes one"
              + " after another, junit.jupiter.execution.parallel.mode.classes.default=same_thread");
    }
    TestServer server = TestServer.start();
    all.add(server);
    return server;
  }

  synchronized void giveBack(TestServer server) {
    free.addLast(server);
  }

  @Override
  public synchronized void close() {
    for (TestServer each : all) each.close();
    all.clear();
    free.clear();
  }
}
