package dev.kermes.bench.commands;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.load.LoadSettings;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A server that runs cases one after the other, and the data that it holds for them. */
final class CaseServer {

  /** The key that {@code {dump}} is the dump of. */
  private static final String DUMPED = "dumped";

  private static final Duration WARM_UP = Duration.ofMillis(80);

  private record Held(DataSet data, Size size, int connections) {}

  private final RunningServer server;
  private final SteadyLoad steady;
  private @Nullable Held held;

  CaseServer(RunningServer server) {
    this.server = server;
    steady = new SteadyLoad(server);
  }

  RunningServer server() {
    return server;
  }

  /** Returns how many cases were measured before the server ran them steadily. */
  int unsteady() {
    return steady.unsteady();
  }

  /**
   * Runs a case; replies that are errors fail it.
   *
   * @return null if the server does not have a command of the case
   */
  @Nullable LoadResult run(CommandCase which, Duration warmUpMax, Duration time)
      throws IOException, InterruptedException {
    List<Template> cycle = prepare(which);
    if (cycle == null) return null;
    LoadSettings settings =
        new LoadSettings(
            server.address(),
            1,
            which.connections(),
            which.pipeline(),
            CaseRequests.of(cycle, which.size()),
            WARM_UP,
            time);
    try {
      return steady.run(settings, warmUpMax, () -> prepareAgain(which));
    } finally {
      end(which);
    }
  }

  /** A run that writes may end in the midst of a cycle, and counts from 1 again. */
  private void prepareAgain(CommandCase which) throws IOException {
    end(which);
    if (!which.isReading()) prepare(which);
  }

  private void end(CommandCase which) throws IOException {
    if (!which.isReading()) held = null;
    server.tell("PING"); // replies after the commands that were still under way
  }

  /**
   * Creates the data and tries each command once.
   *
   * @return the commands, or null if the server does not have one of them
   */
  @Nullable List<Template> prepare(CommandCase which) throws IOException {
    // One connection more than the load has: the one that tries the commands.
    int connections = which.connections() + 1;
    Held wanted = new Held(which.data(), which.size(), connections);
    try (Wire wire = new Wire(server.address())) {
      if (!wanted.equals(held)) {
        held = null;
        server.flush();
        String error = DataLoader.load(wire, which.data().lines(), which.size(), connections);
        if (error != null) return refuse(error);
      }
      List<Template> cycle = compile(which, wire);
      Numbers numbers = new Numbers(which.size(), connections - 1);
      String error = DataLoader.once(wire, cycle, numbers);
      held = which.isReading() ? wanted : null;
      return error == null ? cycle : refuse(error);
    }
  }

  private static List<Template> compile(CommandCase which, Wire wire) throws IOException {
    boolean needsDump = which.lines().stream().anyMatch(line -> line.contains("{dump}"));
    byte[] dump =
        needsDump ? wire.call("DUMP", DUMPED).getBytes(StandardCharsets.ISO_8859_1) : new byte[0];
    Bindings bindings = new Bindings(which.size(), dump);
    return which.lines().stream().map(line -> new Template(line, bindings)).toList();
  }

  private static @Nullable List<Template> refuse(String error) {
    if (error.toLowerCase(Locale.ROOT).startsWith("-err unknown command")) return null;
    if (error.toLowerCase(Locale.ROOT).startsWith("-err unknown subcommand")) return null;
    throw new BenchmarkException(error);
  }
}
