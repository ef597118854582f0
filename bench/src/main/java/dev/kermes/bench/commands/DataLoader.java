package dev.kermes.bench.commands;

import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates the data of a case on a server. */
final class DataLoader {

  /** Requests and bytes that are sent before their replies are read. */
  private static final int REQUESTS_MAX = 200;

  private static final int LENGTH_MAX = 1 << 20;

  private final Wire wire;
  private int outstanding;
  private @Nullable String error;

  private DataLoader(Wire wire) {
    this.wire = wire;
  }

  /**
   * Sends every line of the data, for these keys and connections.
   *
   * @return the first error among the replies; null if there is none
   */
  static @Nullable String load(Wire wire, List<String> lines, Size size, int connections)
      throws IOException {
    DataLoader loader = new DataLoader(wire);
    for (String line : lines) loader.load(line, size, connections);
    return loader.error;
  }

  private void load(String line, Size size, int connections) throws IOException {
    Template template = new Template(line, new Bindings(size));
    RequestBuffer buffer = new RequestBuffer(template.lengthMax() + LENGTH_MAX);
    int keys = line.contains(Variable.KEY.placeholder()) ? size.keys() : 1;
    int indexes = isRepeated(line) ? size.count() : 1;
    int clients = line.contains(Variable.CONNECTION.placeholder()) ? connections : 1;
    for (int client = 0; client < clients; client++) {
      Numbers numbers = new Numbers(size, client);
      for (int key = 0; key < keys; key++) {
        for (int index = 0; index < indexes; index++) {
          numbers.set(key, index);
          template.put(buffer, numbers);
          outstanding++;
          if (outstanding == REQUESTS_MAX || buffer.length() >= LENGTH_MAX) settle(buffer);
        }
      }
    }
    settle(buffer);
  }

  /** Returns whether a line is sent once per element: it names the index outside of a group. */
  private static boolean isRepeated(String line) {
    String outside = line.replaceAll("\\[ .* \\]", "");
    return outside.contains(Variable.INDEX.placeholder());
  }

  private void settle(RequestBuffer buffer) throws IOException {
    wire.send(buffer.bytes(), buffer.length());
    buffer.clear();
    while (outstanding > 0) {
      outstanding--;
      String found = wire.findError();
      if (error == null) error = found;
    }
  }

  /** Sends commands once; returns the first error among the replies, or null. */
  static @Nullable String once(Wire wire, List<Template> cycle, Numbers numbers)
      throws IOException {
    String error = null;
    for (Template template : cycle) {
      RequestBuffer buffer = new RequestBuffer(template.lengthMax());
      template.put(buffer, numbers);
      wire.send(buffer.bytes(), buffer.length());
      String found = wire.findError();
      if (error == null) error = found;
    }
    return error;
  }
}
