package dev.kermes.bench.http;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.ProcessCpu;
import dev.kermes.bench.peers.ProcessMemory;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An HTTP server as a separate process, which ends with {@link #close}. */
final class HttpProcess implements AutoCloseable {

  private static final long START_SECONDS_MAX = 60;

  private final Peer peer;
  private final Process process;
  private final InetSocketAddress address;

  private HttpProcess(Peer peer, Process process, InetSocketAddress address) {
    this.peer = peer;
    this.process = process;
    this.address = address;
  }

  /** Starts the peer on a free port, and waits until it accepts connections. */
  static HttpProcess start(Peer peer) throws IOException, InterruptedException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    File log = File.createTempFile("kermes-bench-", ".log");
    log.deleteOnExit();
    List<String> command =
        peer.command().stream().map(word -> word.replace(Peer.PORT, "" + port)).toList();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!accepts(address)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroyForcibly();
        throw new BenchmarkException(
            peer.name() + " did not start: " + Files.readString(log.toPath()));
      }
      Thread.sleep(20);
    }
    return new HttpProcess(peer, process, address);
  }

  private static boolean accepts(InetSocketAddress address) {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  Peer peer() {
    return peer;
  }

  InetSocketAddress address() {
    return address;
  }

  /** The CPU time of the process so far, its children included. */
  double cpuSeconds() {
    double seconds = ProcessCpu.seconds(process.pid());
    for (ProcessHandle child : process.descendants().toList()) {
      seconds += ProcessCpu.seconds(child.pid());
    }
    return seconds;
  }

  /**
   * The memory of the process, its children included, after a garbage collection if it has a
   * collector.
   */
  long residentBytes() throws IOException, InterruptedException {
    if (isJava()) {
      ProcessMemory.collect(process.pid());
      ProcessMemory.collect(
          process.pid()); // the second collection returns memory that the first has freed
    }
    long bytes = ProcessMemory.resident(process.pid());
    for (ProcessHandle child : process.descendants().toList()) {
      bytes += ProcessMemory.resident(child.pid());
    }
    return bytes;
  }

  private boolean isJava() {
    return peer.command().getFirst().endsWith("java");
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
