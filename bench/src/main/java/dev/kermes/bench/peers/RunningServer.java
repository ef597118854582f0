package dev.kermes.bench.peers;

import dev.kermes.bench.harness.BenchmarkException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A peer that replies: a process that ends with {@link #close}, or a server that was already
 * running and keeps running.
 */
public final class RunningServer implements AutoCloseable {

  private static final long START_SECONDS_MAX = 60;

  /** The log line of the servers after they have loaded their files. */
  private static final String READY = "Ready to accept connections";

  /** A line of the JVM's unified log: {@code [2.1s][info][gc] GC(3) Pause Young … 3.141ms}. */
  private static final Pattern GC_PAUSE = Pattern.compile("GC\\(\\d+\\) Pause .* ([0-9.]+)ms$");

  /**
   * {@code [2.1s][info][safepoint] Safepoint "Name", …, Total: 31415 ns}, with its threads' way to
   * it.
   */
  private static final Pattern SAFEPOINT = Pattern.compile("Safepoint \".* Total: +([0-9]+) ns");

  /** {@code DB loaded from disk: 0.123 seconds}, and ours: {@code ... milliseconds=123}. */
  private static final Pattern LOADED =
      Pattern.compile(
          "DB loaded from (?:disk|append only file): (?:.*milliseconds=(\\d+)|([0-9.]+) seconds)");

  private final Peer peer;
  private final InetSocketAddress address;
  private final @Nullable Process process;
  private final String version;
  private final long pid;
  private @Nullable Path ownFolder;
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

  /** Starts the peer on a free port and waits until it replies. */
  public static RunningServer start(Peer peer) throws IOException, InterruptedException {
    if (peer.address() != null) return new RunningServer(peer, peer.address(), null);
    Path folder = Files.createTempDirectory("kermes-bench-");
    RunningServer server = start(peer, folder);
    server.ownFolder = folder;
    return server;
  }

  /** Starts the peer in an existing folder, whose files it loads and which is kept. */
  public static RunningServer start(Peer peer, Path folder)
      throws IOException, InterruptedException {
    if (peer.address() != null) return new RunningServer(peer, peer.address(), null);
    int port = freePort();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    File log = folder.resolve("server.log").toFile();
    long began = System.nanoTime();
    Process process = launch(peer, port, folder, log);
    try {
      awaitAnswer(peer, process, address, log);
      double millis = (System.nanoTime() - began) / 1e6;
      RunningServer server = new RunningServer(peer, address, process);
      server.startMillis = millis;
      server.log = log;
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** {@code folder} is a place for its files. */
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
    // The measured build is the one at the start of the benchmark.
    builder.environment().put("KERMES_NO_BUILD", "1");
    builder
        .environment()
        .merge("KERMES_JAVA_OPTS", "-Xlog:gc,safepoint", (given, ours) -> given + " " + ours);
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  private static void awaitAnswer(Peer peer, Process process, InetSocketAddress address, File log)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (true) {
      try (Wire wire = new Wire(address)) {
        String reply = wire.call("PING");
        if (reply.equals("+PONG")) return;
        if (reply.startsWith("-LOADING")) awaitLoaded(process, log);
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new BenchmarkException(
              "%s did not start: %s".formatted(peer.name(), Files.readString(log.toPath())));
        }
      }
      Thread.sleep(2);
    }
  }

  /**
   * Watches only the log: repeated requests took a tenth of our processor time during the load,
   * because the JVM also had to compile the code of a connection.
   */
  private static void awaitLoaded(Process process, File log)
      throws IOException, InterruptedException {
    while (process.isAlive() && !Files.readString(log.toPath()).contains(READY)) {
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

  /** A server on this machine reports its process id, by which its CPU time can be read. */
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

  public Peer peer() {
    return peer;
  }

  public InetSocketAddress address() {
    return address;
  }

  public String version() {
    return version;
  }

  /** Returns the time from the start of the process to its first reply. */
  public double startMillis() {
    return startMillis;
  }

  public long pid() {
    return pid;
  }

  /** Returns the CPU time so far; NaN if the process is unknown. */
  public double cpuSeconds() {
    return ProcessCpu.seconds(pid);
  }

  /**
   * Returns the pauses of the garbage collector so far, in milliseconds; empty if there is none.
   */
  public List<Double> gcPauses() throws IOException {
    return logged(GC_PAUSE, 1);
  }

  /** Returns the times that all threads of a JVM stood still so far, in milliseconds. */
  public List<Double> safepoints() throws IOException {
    return logged(SAFEPOINT, 1e6);
  }

  private List<Double> logged(Pattern pattern, double perMilli) throws IOException {
    List<Double> millis = new ArrayList<>();
    if (log == null) return millis;
    for (String line : Files.readAllLines(log.toPath())) {
      Matcher found = pattern.matcher(line);
      if (found.find()) millis.add(Double.parseDouble(found.group(1)) / perMilli);
    }
    return millis;
  }

  /** Returns the load time that the server reports; NaN if it does not report one. */
  public double loadSeconds() throws IOException {
    return log == null ? Double.NaN : loadSeconds(Files.readAllLines(log.toPath()));
  }

  /** The last line counts: an append only file may begin with an RDB file. */
  public static double loadSeconds(List<String> log) {
    double seconds = Double.NaN;
    for (String line : log) {
      Matcher loaded = LOADED.matcher(line);
      if (!loaded.find()) continue;
      String millis = loaded.group(1);
      seconds =
          millis == null ? Double.parseDouble(loaded.group(2)) : Double.parseDouble(millis) / 1000;
    }
    return seconds;
  }

  public String ask(String... command) throws IOException {
    try (Wire wire = new Wire(address)) {
      return wire.call(command);
    }
  }

  /** Runs a command that must not fail. */
  public void tell(String... command) throws IOException {
    String reply = ask(command);
    if (reply.startsWith("-")) throw new BenchmarkException(peer.name() + ": " + reply);
  }

  /** Empties the server, so that every run starts with the same state. */
  public void flush() throws IOException {
    tell("FLUSHALL");
  }

  /** Turns on the append only file, without automatic rewrites. */
  public void turnOnAppendOnly() throws IOException, InterruptedException {
    tell("CONFIG", "SET", "auto-aof-rewrite-percentage", "0");
    tell("CONFIG", "SET", "appendonly", "yes");
    awaitRewritten();
  }

  /** Makes the server rewrite its append only file. */
  public void rewriteAppendOnly() throws IOException, InterruptedException {
    tell("BGREWRITEAOF");
    awaitRewritten();
  }

  private void awaitRewritten() throws IOException, InterruptedException {
    while (!"0".equals(field(ask("INFO", "persistence"), "aof_rewrite_in_progress:"))) {
      Thread.sleep(5);
    }
  }

  /** Returns how often the server has saved its data. */
  public long saves() throws IOException {
    String saves = field(ask("INFO", "persistence"), "rdb_saves:");
    return saves == null ? 0 : Long.parseLong(saves);
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
    if (ownFolder == null) return;
    try (Stream<Path> files = Files.walk(ownFolder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    } catch (IOException e) {
      System.err.println("not deleted: " + e.getMessage());
    }
  }
}
