package dev.kermes.server.testing;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A redis-server installed on this machine, on a free port of the loopback address and without
 * persistence. It has a folder of its own, into which a replica writes the copy that it receives.
 * Against-Redis tests need one: if there is none, {@link #start} fails and says what to install.
 * The environment variable {@code KERMES_REDIS_SERVER} names a server other than the one on the
 * PATH: another release, or Valkey.
 */
public final class RealRedis implements AutoCloseable {

  private static final long START_SECONDS_MAX = 10;

  private static final Pattern VERSION = Pattern.compile("(Redis|Valkey) server v=(\\d+)\\.(\\d+)");

  /**
   * Which server it is.
   *
   * @param isValkey whether it is Valkey, whose releases up to 7.2 were Redis's
   */
  public record Release(boolean isValkey, int major, int minor) {

    /** Whether it is a Redis of that release or a later one, or a Valkey, which began after 7.2. */
    public boolean isSince(int sinceMajor, int sinceMinor) {
      return isValkey || major > sinceMajor || major == sinceMajor && minor >= sinceMinor;
    }
  }

  private final Process process;
  private final int port;
  private final Path folder;

  private RealRedis(Process process, int port, Path folder) {
    this.process = process;
    this.port = port;
    this.folder = folder;
  }

  /** Starts a server with options such as {@code --maxmemory}, {@code 1mb}. */
  public static RealRedis start(List<String> options) throws IOException, InterruptedException {
    int port = freePort();
    List<String> command = new ArrayList<>();
    command.add(executable());
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--save", "", "--appendonly", "no"));
    command.addAll(options);
    return start(port, command);
  }

  private static RealRedis start(int port, List<String> command)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("redis-server");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    RealRedis redis = new RealRedis(process, port, folder);
    redis.awaitAccepting(command);
    return redis;
  }

  /** Starts a sentinel; it rewrites its configuration file. */
  public static RealRedis startSentinel(Path config) throws IOException, InterruptedException {
    int port = freePort();
    return start(port, List.of(executable(), config.toString(), "--sentinel", "--port", "" + port));
  }

  /** The release of the server that {@link #start} starts. */
  public static Release release() throws IOException {
    Process process = new ProcessBuilder(executable(), "--version").start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher matcher = VERSION.matcher(text);
    if (!matcher.find()) throw new IOException("no release in: " + text);
    return new Release(
        matcher.group(1).equals("Valkey"),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)));
  }

  private static String executable() {
    String named = System.getenv("KERMES_REDIS_SERVER");
    if (named != null && !named.isEmpty()) return named;
    for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
      File file = new File(folder, "redis-server");
      if (file.canExecute()) return file.getPath();
    }
    throw new IllegalStateException(
        "redis-server is not on the PATH; against-Redis tests need it (Debian: redis-server)");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitAccepting(List<String> command) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (System.nanoTime() < deadline && process.isAlive()) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        if (socket.isConnected()) return;
      } catch (IOException e) {
        boolean unused = process.waitFor(10, TimeUnit.MILLISECONDS);
      }
    }
    close();
    throw new IOException("redis-server does not accept connections: command=" + command);
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
    for (File file : Objects.requireNonNullElse(folder.toFile().listFiles(), new File[0])) {
      boolean unused = file.delete();
    }
    boolean unused = folder.toFile().delete();
  }
}
