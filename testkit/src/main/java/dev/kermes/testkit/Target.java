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

  /**
   * Lets what is written from now on stay unsynced, until {@link #crash} or {@link #sync}.
   *
   * @throws IllegalStateException if it has no disk of the kit
   */
  void holdSyncs();

  /** Ends {@link #holdSyncs}. */
  default void sync() {}

  /**
   * Replaces the server by one that has what was synced.
   *
   * @throws IllegalStateException if it has no disk of the kit
   */
  void crash() throws IOException;

  @Override
  void close();
}
