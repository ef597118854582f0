package dev.kermes.testkit;

import dev.kermes.server.time.ManualClock;
import java.io.IOException;

/** A server that a system property names. */
record RealTarget(ServerAddress address) implements Target {

  @Override
  public ManualClock clock() {
    throw new IllegalStateException(
        "the clock of a real server cannot be moved; tests that move it need the embedded server: run"
            + " them without "
            + TestServer.URL_PROPERTY
            + ", which names "
            + address.hostAndPort());
  }

  @Override
  public void replace(IOException cause) {
    throw new IllegalStateException(
        "the real server cannot be reset: server="
            + address.hostAndPort()
            + ", "
            + cause.getMessage(),
        cause);
  }

  @Override
  public void holdSyncs() {
    throw withoutDisk();
  }

  @Override
  public void crash() {
    throw withoutDisk();
  }

  private IllegalStateException withoutDisk() {
    return new IllegalStateException(
        "the disk of a real server cannot be controlled: server=" + address.hostAndPort());
  }

  @Override
  public void close() {}
}
