package dev.kermes.testkit;

import dev.kermes.server.RedisServer;
import dev.kermes.server.disk.ForgetfulDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A temporary folder with an append only file, which loses what was not synced when its server
 * crashes. Used by one thread at a time.
 */
final class CrashDisk implements AutoCloseable {

  private final long seed;
  private final Path folder;
  private ForgetfulDisk disk;

  CrashDisk(long seed) {
    this.seed = seed;
    disk = new ForgetfulDisk(seed);
    try {
      folder = Files.createTempDirectory("kermes-testkit");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a server that is about to start use it. */
  void attach(RedisServer.Builder builder) {
    builder.option("dir", folder.toString()).option("appendonly", "yes").disk(disk);
    builder.preset("save", "");
  }

  void ignoreSyncs(boolean ignores) {
    disk.ignoreSyncs(ignores);
  }

  /** Ends the server, and leaves in the folder what was synced. */
  void crash(RedisServer server) throws IOException {
    disk.cutPower();
    server.closeWithoutSaving();
    disk.forgetUnsynced();
    disk = new ForgetfulDisk(seed);
  }

  /** Deletes all files, for a server that begins without data. */
  void clear() {
    for (Path each : deepestFirst()) if (!each.equals(folder)) delete(each);
    disk = new ForgetfulDisk(seed);
  }

  /** Deletes the folder. */
  @Override
  public void close() {
    for (Path each : deepestFirst()) delete(each);
  }

  private List<Path> deepestFirst() {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
