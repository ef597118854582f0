package dev.kermes.tools.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The program {@code kermes torture --clients}: floods servers with hostile clients; see {@link
 * ServerFlood} and {@link SiteFlood}.
 */
public final class FloodProgram {

  public static final String USAGE =
      """
      usage: kermes torture --clients [--seconds N] [--heap SIZE,...] [--connections N]
                                      [--victims NAME,...]

        --seconds N      how long each server is attacked (60)
        --heap SIZE,...  the heaps of the servers, one after the other, as for -Xmx; or default
                         (64m,300m,default)
        --connections N  idle connections, besides the attacking ones (10000)
        --victims NAME,...  server: a process, by TCP, TLS and a unix socket; embedded: a server with
                         clients in its own JVM, and an HTTP server with WebSockets
                         (server,embedded)

      Exits with 1 if a server ended, a well-behaved client was refused or waited for more than a
      second (99th percentile), or memory was not released after the attack.
      """;

  private int seconds = 60;
  private int connections = 10_000;
  private List<String> victims = List.of("server", "embedded");
  private List<String> heaps = List.of("64m", "300m", "default");

  private FloodProgram() {}

  /** Returns 0 if all servers withstood the flood. */
  static int run(String[] args) {
    FloodProgram program = new FloodProgram();
    return TortureProgram.execute(args, USAGE, program::set, program::run);
  }

  private boolean set(String option, String value) {
    switch (option) {
      case "--seconds" -> seconds = Integer.parseInt(value);
      case "--victims" -> victims = List.of(value.split(","));
      case "--connections" -> connections = Integer.parseInt(value);
      case "--heap" -> heaps = List.of(value.split(","));
      default -> {
        return false;
      }
    }
    return true;
  }

  private int run() throws IOException, InterruptedException {
    boolean isSound = true;
    for (String heap : heaps) {
      Path folder = Files.createTempDirectory("kermes-flood");
      if (victims.contains("server")) {
        isSound &= isSound("server", heap, new ServerFlood(folder, heap, connections));
      }
      if (victims.contains("embedded")) {
        isSound &= isSound("embedded", heap, new SiteFlood(folder, heap, connections));
      }
      System.out.println("files: " + folder);
    }
    return isSound ? 0 : 1;
  }

  private boolean isSound(String victim, String heap, Flood flood)
      throws IOException, InterruptedException {
    flood.run(seconds);
    System.out.println(victim + ", heap=" + heap + ": " + flood.report());
    flood.faults().forEach(System.out::println);
    return flood.faults().isEmpty();
  }
}
