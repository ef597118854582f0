package dev.kermes.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A peer that answers: a process of its own that ends with {@link #close}, or a guest that was
 * running before and goes on afterwards.
 */
final class RunningServer implements AutoCloseable {

  private static final long START_SECONDS_MAX = 60;

  /** A line of the JVM's unified log: {@code [2.1s][info][gc] GC(3) Pause Young … 3.141ms}. */
  private static final Pattern GC_PAUSE = Pattern.compile("GC\\(\\d+\\) Pause .* ([0-9.]+)ms$");

  private final Peer peer;
  private final InetSocketAddress address;
  private final @Nullable Process process;
  private final String version;
  private final long pid;
  private @Nullable Path folder;
  private @Nullable File log;
  private double startMillis = Double.NaN;

  private RunningServer(Peer peer, InetSocketAddress address, @Nullable Process process)
      throws IOException {
    this.peer = peer;
    this.address = address;
    this.process = process;
    try (Wire wire = new Wire(address)) {
      String info = wire.call("INFO", "server");
      version = version(info);
      pid = process != null ? process.pid() : guestPid(info);
    }
  }

  /** Starts the peer on a free port and waits until it answers. */
  static RunningServer start(Peer peer) throws IOException, InterruptedException {
    if (peer.address() != null) return new RunningServer(peer, peer.address(), null);
    int port = freePort();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    Path folder = Files.createTempDirectory("kermes-bench-");
    File log = folder.resolve("server.log").toFile();
    long began = System.nanoTime();
    Process process = launch(peer, port, folder, log);
    try {
      awaitAnswer(peer, process, address, log);
      double millis = (System.nanoTime() - began) / 1e6;
      RunningServer server = new RunningServer(peer, address, process);
      server.startMillis = millis;
      server.folder = folder;
      server.log = log;
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** {@code folder} is where it may leave files. */
  private static Process launch(Peer peer, int port, Path folder, File log) throws IOException {
    List<String> command = new ArrayList<>();
    for (String word : peer.command()) {
      command.add(word.equals(Peer.PORT) ? Integer.toString(port) : word);
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log);
    // What is measured is what was built when the benchmark began.
    builder.environment().put("KERMES_NO_BUILD", "1");
    builder
        .environment()
        .merge("KERMES_JAVA_OPTS", "-Xlog:gc", (given, ours) -> given + " " + ours);
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  private static void awaitAnswer(Peer peer, Process process, InetSocketAddress address, File log)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (true) {
      try (Wire wire = new Wire(address)) {
        if (wire.call("PING").equals("+PONG")) return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new BenchmarkException(
              "%s did not start: %s".formatted(peer.name(), Files.readString(log.toPath())));
        }
      }
      Thread.sleep(2);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String version(String info) {
    for (String field : List.of("kermes_version:", "valkey_version:", "redis_version:")) {
      String value = field(info, field);
      if (value != null) return value;
    }
    return "";
  }

  /** A guest on this machine tells its process id; its CPU time can be read then. */
  private long guestPid(String info) {
    String value = field(info, "process_id:");
    return value != null && address.getAddress().isLoopbackAddress() ? Long.parseLong(value) : 0;
  }

  private static @Nullable String field(String info, String name) {
    for (String line : info.split("\r?\n")) {
      if (line.startsWith(name)) return line.substring(name.length()).trim();
    }
    return null;
  }

  Peer peer() {
    return peer;
  }

  InetSocketAddress address() {
    return address;
  }

  String version() {
    return version;
  }

  /** From the start of the process to its first reply. */
  double startMillis() {
    return startMillis;
  }

  long pid() {
    return pid;
  }

  /** Its CPU time so far; not a number where the process is not known. */
  double cpuSeconds() {
    return ProcessCpu.seconds(pid);
  }

  /** The pauses of its garbage collector so far, in milliseconds; none where it has none. */
  List<Double> gcPauses() throws IOException {
    List<Double> pauses = new ArrayList<>();
    if (log == null) return pauses;
    for (String line : Files.readAllLines(log.toPath())) {
      Matcher pause = GC_PAUSE.matcher(line);
      if (pause.find()) pauses.add(Double.parseDouble(pause.group(1)));
    }
    return pauses;
  }

  /** Empties it, so that every run begins alike. */
  void flush() throws IOException {
    try (Wire wire = new Wire(address)) {
      String reply = wire.call("FLUSHALL");
      if (!reply.equals("+OK")) throw new BenchmarkException(peer.name() + ": FLUSHALL: " + reply);
    }
  }

  @Override
  public void close() {
    if (process == null) return;
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    deleteFiles();
  }

  private void deleteFiles() {
    if (folder == null) return;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) Files.delete(file);
      Files.delete(folder);
    } catch (IOException e) {
      System.err.println("not deleted: " + e.getMessage());
    }
  }
}
