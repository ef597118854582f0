package dev.kermes.testkit.junit;

import dev.kermes.testkit.TestServer;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The server of one test class, nested classes included.
 *
 * @param release gives the server back, or closes it
 */
@SuppressWarnings("deprecation") // JUnit 5.12 closes nothing else
record Lease(TestServer server, Runnable release)
    implements ExtensionContext.Store.CloseableResource, AutoCloseable {

  static Lease shared(ServerPool pool) {
    TestServer server = pool.take();
    return new Lease(server, () -> pool.giveBack(server));
  }

  static Lease own(TestServer.Builder builder) {
    TestServer server = builder.start();
    return new Lease(server, server::close);
  }

  @Override
  public void close() {
    release.run();
  }
}
