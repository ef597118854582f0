package dev.kermes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A redis-server installed on this machine, on a free port of the loopback address and without
 * persistence. It has a folder of its own, into which a replica writes the copy that it receives.
 * Against-Redis tests need one: if there is none, {@link #start} fails and says what to install.
 * The environment variable {@code KERMES_REDIS_SERVER} names a server other than the one on the
 * PATH: another release, or Valkey.
 */
public final class RealRedis implements AutoCloseable {

  private static final long START_SECONDS_MAX = 20;
  private static final long POLL_NANOS = 2_000_000;

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
  public static RealRedis start(String... options) {
    return startOn(Ports.free(), options);
  }

  /** Starts a server with options such as {@code --maxmemory}, {@code 1mb}. */
  public static RealRedis start(List<String> options) {
    return start(options.toArray(String[]::new));
  }

  /** Starts a server on this port. */
  public static RealRedis startOn(int port, String... options) {
    List<String> command = new ArrayList<>();
    command.add(executable());
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--save", "", "--appendonly", "no"));
    command.addAll(List.of(options));
    return start(port, createFolder(), command);
  }

  /** Starts a server that the tests of this JVM share, and that ends with it. */
  public static RealRedis startUntilExit() {
    RealRedis redis = start();
    Runtime.getRuntime().addShutdownHook(new Thread(redis::close));
    return redis;
  }

  /** Starts a sentinel with these lines of configuration. */
  public static RealRedis startSentinel(String... lines) {
    int port = Ports.free();
    Path folder = createFolder();
    Path config = folder.resolve("sentinel.conf"); // it rewrites this file
    try {
      Files.write(config, List.of(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> command =
        List.of(executable(), config.toString(), "--sentinel", "--port", Integer.toString(port));
    return start(port, folder, command);
  }

  private static Path createFolder() {
    try {
      return Files.createTempDirectory("redis-server");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RealRedis start(int port, Path folder, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      RealRedis redis = new RealRedis(process, port, folder);
      redis.awaitAccepting(command);
      return redis;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The release of the server that {@link #start} starts. */
  public static Release release() {
    try {
      Process process = new ProcessBuilder(executable(), "--version").start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = VERSION.matcher(text);
      if (!matcher.find()) throw new IOException("no release in: " + text);
      return new Release(
          matcher.group(1).equals("Valkey"),
          Integer.parseInt(matcher.group(2)),
          Integer.parseInt(matcher.group(3)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String executable() {
    String named = System.getenv("KERMES_REDIS_SERVER");
    if (named != null && !named.isEmpty()) return named;
    return Executables.find("redis-server")
        .orElseThrow(() ->
            new IllegalStateException(
                "redis-server is not on the PATH; against-Redis tests need it (Debian: redis-server)"));
  }

  private void awaitAccepting(List<String> command) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (System.nanoTime() < deadline && process.isAlive()) {
      if (isAccepting()) return;
      LockSupport.parkNanos(POLL_NANOS);
    }
    close();
    throw new IOException("redis-server does not accept connections: command=" + command);
  }

  private boolean isAccepting() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** The address for a client. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** Kills the server, as a crash would, and deletes its folder. */
  @Override
  public void close() {
    process.destroyForcibly();
    Process unused = process.onExit().join();
    if (!Files.exists(folder)) return; // it was closed before
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
