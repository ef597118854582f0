package dev.kermes.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * The orders that a program of several nodes takes, one a line, such as {@code freeze 7001}: a verb
 * and the port of a node. Each is answered by a line. Used by one thread.
 *
 * @param <N> a node
 */
final class NodeOrders<N> {

  private final List<N> nodes;
  private final ToIntFunction<N> port;
  private final Map<String, Consumer<N>> verbs;

  NodeOrders(List<N> nodes, ToIntFunction<N> port, Map<String, Consumer<N>> verbs) {
    this.nodes = nodes;
    this.port = port;
    this.verbs = verbs;
  }

  /** Obeys the lines of an input, in a thread that ends with it or with the process. */
  void follow(InputStream input) {
    Thread.ofPlatform()
        .daemon()
        .name("kermes-orders")
        .start(() -> {
          try (BufferedReader lines =
              new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
            lines.lines().map(this::obey).forEach(System.out::println);
          } catch (IOException | UncheckedIOException e) {
            System.err.println("kermes: no more orders: " + e.getMessage());
          }
        });
  }

  /** Does what a line says; returns the line that answers it. */
  String obey(String line) {
    String[] words = line.strip().split("\\s+");
    Consumer<N> verb = verbs.get(words[0]);
    if (verb == null || words.length != 2) {
      return "refused: "
          + line
          + ": an order is a verb and a port: "
          + new TreeSet<>(verbs.keySet());
    }
    for (N node : nodes) {
      if (words[1].equals(Integer.toString(port.applyAsInt(node)))) return obey(line, verb, node);
    }
    return "refused: " + line + ": no node has this port";
  }

  private static <N> String obey(String line, Consumer<N> verb, N node) {
    try {
      verb.accept(node);
      return "done: " + line;
    } catch (IllegalStateException e) {
      return "refused: " + line + ": " + e.getMessage();
    }
  }
}
