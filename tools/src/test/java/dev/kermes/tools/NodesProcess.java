package dev.kermes.tools;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that serves nodes, and is ready.
 *
 * @param nodes its lines {@code ROLE 127.0.0.1:PORT}, one for each node
 * @param ready the line after them; {@code null} if it ended without
 */
record NodesProcess(Process process, List<String> nodes, @Nullable String ready) {

  /** Starts it, and waits for its last line. */
  static NodesProcess start(String... arguments) throws IOException {
    Process process = Programs.start(Main.class, arguments);
    BufferedReader out = process.inputReader();
    List<String> nodes = new ArrayList<>();
    String line = out.readLine();
    while (line != null && !line.startsWith("Ready: ")) {
      nodes.add(line);
      line = out.readLine();
    }
    return new NodesProcess(process, nodes, line);
  }

  int port(int node) {
    String line = nodes.get(node);
    return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
  }

  /** Gives it an order; returns the answer. */
  @Nullable String order(String line) throws IOException {
    process.outputWriter().write(line + "\n");
    process.outputWriter().flush();
    return process.inputReader().readLine();
  }

  /** Ends it by SIGTERM. */
  Result end() throws IOException, InterruptedException {
    process.toHandle().destroy();
    return Programs.finish(process, "");
  }
}
