package dev.kermes.events.amqp;

import com.rabbitmq.client.ConnectionFactory;
import dev.kermes.testing.Executables;
import dev.kermes.testing.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A broker of RabbitMQ that is installed on this machine: a process with free ports of the loopback
 * address, a name and a folder of its own, and its own Erlang port mapper.
 */
final class RealRabbit implements AutoCloseable {

  /** Debian's own program of that name starts the broker as another user. */
  private static final String DEBIAN = "/usr/lib/rabbitmq/bin/rabbitmq-server";

  private static final long START_SECONDS_MAX = 90;

  private final Path folder;
  private final int port = Ports.free();
  private final int mapperPort = Ports.free();
  private final Process mapper;
  private Process process;

  private RealRabbit(Path folder) throws IOException {
    this.folder = folder;
    String address = "127.0.0.1";
    String mapperPath = Executables.find("epmd").orElse("epmd");
    mapper = start(List.of(mapperPath, "-port", "" + mapperPort, "-address", address), Map.of());
    process = startBroker();
  }

  /** The path of the broker's program; empty if it is not installed. */
  static Optional<String> program() {
    return new File(DEBIAN).canExecute()
        ? Optional.of(DEBIAN)
        : Executables.find("rabbitmq-server");
  }

  /** Starts a broker, and waits until it accepts clients. */
  static RealRabbit start() {
    try {
      Path folder = Files.createTempDirectory("kermes-rabbit");
      Files.writeString(folder.resolve("plugins"), "[].");
      RealRabbit rabbit = new RealRabbit(folder);
      rabbit.awaitAccepting();
      return rabbit;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process start(List<String> command, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private Process startBroker() throws IOException {
    Map<String, String> environment =
        Map.ofEntries(
            Map.entry("HOME", folder.toString()),
            Map.entry("ERL_EPMD_PORT", "" + mapperPort),
            Map.entry("RABBITMQ_NODENAME", "kermes" + port + "@localhost"),
            Map.entry("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
            Map.entry("RABBITMQ_NODE_PORT", "" + port),
            Map.entry("RABBITMQ_DIST_PORT", "" + Ports.free()),
            Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString()),
            Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
            Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("config").toString()),
            Map.entry("RABBITMQ_CONF_ENV_FILE", folder.resolve("environment").toString()),
            Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString()),
            Map.entry("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-start_epmd false +S 1:1"));
    return start(List.of(program().orElseThrow()), environment);
  }

  private void awaitAccepting() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!isAccepting()) {
      if (System.nanoTime() > deadline || !process.isAlive()) {
        close();
        throw new IllegalStateException("rabbitmq-server does not start");
      }
      LockSupport.parkNanos(50_000_000);
    }
  }

  private boolean isAccepting() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        var connection = factory(port).newConnection()) {
      return socket.isConnected() && connection.isOpen();
    } catch (IOException | TimeoutException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  /** For connections to a port of the loopback address: its own, or that of a proxy. */
  static ConnectionFactory factory(int port) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    return factory;
  }

  /** Kills it and starts it again with its data. */
  void restart() throws IOException {
    kill();
    process = startBroker();
    awaitAccepting();
  }

  /** The process is a shell, whose child is the broker. */
  private void kill() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    for (ProcessHandle each : all) {
      boolean unused = each.destroyForcibly();
    }
    for (ProcessHandle each : all) {
      ProcessHandle unused = each.onExit().join();
    }
  }

  @Override
  public void close() {
    kill();
    mapper.destroyForcibly();
    Process unused = mapper.onExit().join();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
