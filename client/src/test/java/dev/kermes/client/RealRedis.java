package dev.kermes.client;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The installed redis-server, started on a free loopback port in a folder of its own, without
 * persistence.
 */
final class RealRedis implements AutoCloseable {
  private final Process process;
  private final Path folder;
  private final int port;

  private RealRedis(Process process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    this.port = port;
  }

  static RealRedis start(String... options) {
    return startOn(freePort(), options);
  }

  static RealRedis startOn(int port, String... options) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("redis-server", "--port", Integer.toString(port)));
    command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
    command.addAll(List.of(options));
    return start(port, command);
  }

  /** A sentinel; it rewrites its configuration file. */
  static RealRedis startSentinel(int port, Path config) {
    return start(port, List.of("redis-server", config.toString(), "--sentinel"));
  }

  private static RealRedis start(int port, List<String> command) {
    try {
      Path folder = Files.createTempDirectory("kermes-redis-");
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      awaitPort(process, port);
      return new RealRedis(process, folder, port);
    } catch (IOException e) {
      throw new IllegalStateException(
          "these tests need redis-server on the PATH (Debian: apt install redis-server)", e);
    }
  }

  int port() {
    return port;
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitPort(Process process, int port) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      if (isListening(port)) return;
      LockSupport.parkNanos(2_000_000);
    }
    throw new IllegalStateException("redis-server did not listen: port=" + port);
  }

  private static boolean isListening(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Kills it, like a crash. */
  void kill() {
    process.destroyForcibly();
    close();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
      deleteFolder();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A replica leaves its master's data set there. */
  private void deleteFolder() {
    File[] files = folder.toFile().listFiles();
    if (files == null) return; // it was closed before
    for (File file : files) file.delete();
    folder.toFile().delete();
  }
}
