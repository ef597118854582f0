package dev.kermes.testkit;

import dev.kermes.server.time.ManualClock;
import java.io.IOException;

/** The server behind a {@link Proxy}. */
interface Target extends AutoCloseable {

  ServerAddress address();

  /** The server's clock. Throws if a test cannot move it. */
  ManualClock clock();

  /**
   * Replaces a server that cannot be reset by a new one.
   *
   * @throws IllegalStateException if that is impossible
   */
  void replace(IOException cause);

  @Override
  void close();
}
