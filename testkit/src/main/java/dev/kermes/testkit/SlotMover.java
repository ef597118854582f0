package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.resp.ReplyReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Moves slots to a node, with the commands that redis-cli sends:
 *
 * <pre>
 *   target: SETSLOT IMPORTING   source: SETSLOT MIGRATING, GETKEYSINSLOT and MIGRATE until it is empty
 *   target: SETSLOT NODE        source: SETSLOT NODE, unless it was its last slot
 * </pre>
 *
 * Used by one thread.
 */
final class SlotMover implements AutoCloseable {

  private static final String KEYS_AT_ONCE = "100";
  private static final String TIMEOUT_MILLIS = "5000";

  private final KermesCluster.Node target;
  private final Map<KermesCluster.Node, ControlConnection> connections = new HashMap<>();

  SlotMover(KermesCluster.Node target) {
    this.target = target;
  }

  /**
   * Moves a slot.
   *
   * @throws IllegalStateException if a node refuses; the slot then stays open, as with redis-cli
   */
  void move(int slot, KermesCluster.Node source) {
    String number = Integer.toString(slot);
    try {
      call(target, "CLUSTER", "SETSLOT", number, "IMPORTING", source.id());
      call(source, "CLUSTER", "SETSLOT", number, "MIGRATING", target.id());
      boolean hadKeys = true;
      while (hadKeys) hadKeys = moveKeys(number, source);
      call(target, "CLUSTER", "SETSLOT", number, "NODE", target.id());
      if (source.isMaster()) call(source, "CLUSTER", "SETSLOT", number, "NODE", target.id());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Moves some keys; returns whether there were any. */
  private boolean moveKeys(String slot, KermesCluster.Node source) throws IOException {
    ReplyReader keys = call(source, "CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_ONCE);
    int count = keys.readArray();
    if (count == 0) return false;
    String port = Integer.toString(target.serverPort());
    List<byte[]> migrate = new ArrayList<>();
    for (String word :
        List.of("MIGRATE", target.host(), port, "", "0", TIMEOUT_MILLIS, "REPLACE", "KEYS")) {
      migrate.add(word.getBytes(UTF_8));
    }
    for (int i = 0; i < count; i++) migrate.add(Objects.requireNonNull(keys.readBytes()));
    var unused = ControlConnection.accepted(connection(source).callBytes(migrate));
    return true;
  }

  private ReplyReader call(KermesCluster.Node node, String... words) throws IOException {
    return ControlConnection.accepted(connection(node).call(List.of(words)));
  }

  private ControlConnection connection(KermesCluster.Node node) throws IOException {
    ControlConnection known = connections.get(node);
    if (known != null) return known;
    ControlConnection opened = node.connect();
    connections.put(node, opened);
    return opened;
  }

  @Override
  public void close() {
    for (ControlConnection each : connections.values()) {
      try {
        each.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
