package dev.kermes.testkit;

import dev.kermes.server.RedisServer;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server in this JVM. */
final class EmbeddedTarget implements Target {

  private final Map<String, String> options;
  private final long seed;
  private final @Nullable ManualClock clock;
  private RedisServer server;

  /**
   * Starts the server.
   *
   * @param clock null for the machine's clock
   */
  EmbeddedTarget(Map<String, String> options, long seed, @Nullable ManualClock clock) {
    this.options = options;
    this.seed = seed;
    this.clock = clock;
    server = start();
  }

  private RedisServer start() {
    RedisServer.Builder builder = RedisServer.builder().port(0).loops(1).seed(seed);
    builder.clock(clock == null ? Clock.system() : clock);
    options.forEach(builder::option);
    return builder.start();
  }

  @Override
  public ServerAddress address() {
    return ServerAddress.local(server.port());
  }

  @Override
  public ManualClock clock() {
    if (clock != null) return clock;
    throw new IllegalStateException(
        "the server was started in real time, so its clock cannot be moved");
  }

  @Override
  public void replace(IOException cause) {
    server.closeWithoutSaving();
    server = start();
  }

  @Override
  public void close() {
    server.closeWithoutSaving();
  }
}
