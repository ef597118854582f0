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
  private final @Nullable CrashDisk disk;
  private RedisServer server;

  /**
   * Starts the server.
   *
   * @param clock null for the machine's clock
   * @param disk null for a server that keeps no files
   */
  EmbeddedTarget(
      Map<String, String> options,
      long seed,
      @Nullable ManualClock clock,
      @Nullable CrashDisk disk) {
    this.options = options;
    this.seed = seed;
    this.clock = clock;
    this.disk = disk;
    server = start();
  }

  private RedisServer start() {
    RedisServer.Builder builder = RedisServer.builder().port(0).loops(1).seed(seed);
    builder.clock(clock == null ? Clock.system() : clock);
    if (disk != null) disk.attach(builder);
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
    if (disk != null) disk.clear();
    server = start();
  }

  @Override
  public void holdSyncs() {
    disk().ignoreSyncs(true);
  }

  @Override
  public void sync() {
    if (disk != null) disk.ignoreSyncs(false);
  }

  @Override
  public void crash() throws IOException {
    disk().crash(server);
    server = start();
  }

  private CrashDisk disk() {
    if (disk != null) return disk;
    throw new IllegalStateException("the server keeps no files: start it by builder().onDisk()");
  }

  @Override
  public void close() {
    server.closeWithoutSaving();
    if (disk != null) disk.close();
  }
}
