package dev.kermes.bench.peers;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server to measure, by its name in the tables: either a command that starts it on a port ({@code
 * %PORT%} is its placeholder), or an address where it already runs.
 */
public record Peer(String name, List<String> command, @Nullable InetSocketAddress address) {

  public static final String PORT = "%PORT%";

  public static Peer started(String name, String... command) {
    return new Peer(name, List.of(command), null);
  }

  /**
   * A program of this class path in a separate JVM.
   *
   * @param flags of the JVM, in addition to the common ones
   * @param program its class
   */
  public static Peer java(String name, List<String> flags, String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+IgnoreUnrecognizedVMOptions");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dio.netty.leakDetection.level=disabled");
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program);
    command.addAll(List.of(arguments));
    return new Peer(name, command, null);
  }

  public static Peer running(String name, InetSocketAddress address) {
    return new Peer(name, List.of(), address);
  }

  /** Returns the name in a form for file names. */
  public String fileName() {
    return name.replaceAll("[^A-Za-z0-9.-]", "-");
  }

  /** Returns the same peer with further options if it is to be started. */
  public Peer with(String... options) {
    if (address != null) return this;
    List<String> longer = new ArrayList<>(command);
    longer.addAll(List.of(options));
    return new Peer(name, longer, null);
  }
}
