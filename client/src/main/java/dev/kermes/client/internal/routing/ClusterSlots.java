package dev.kermes.client.internal.routing;

import dev.kermes.client.internal.command.EncodedCommand;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The topology as reported by CLUSTER SLOTS, which every version supports and which leaves out
 * failed replicas. Any node can answer. Owned by the event loop.
 */
final class ClusterSlots implements TopologySource {
  private static final EncodedCommand<@Nullable Object> SLOTS =
      EncodedCommand.of("CLUSTER", "SLOTS").withTimeout(ANSWER_TIMEOUT);

  private final Supplier<List<Node>> nodes;

  /** Creates a source that asks {@code nodes} in order; the ones likely to answer come first. */
  ClusterSlots(Supplier<List<Node>> nodes) {
    this.nodes = nodes;
  }

  @Override
  public void ask(Consumer<@Nullable TopologySnapshot> done) {
    TopologySource.askInTurn(new ArrayDeque<>(nodes.get()), ClusterSlots::ask, done);
  }

  private static void ask(Node node, Consumer<@Nullable TopologySnapshot> taker) {
    LoopCall.send(
        node,
        SLOTS,
        answer ->
            taker.accept(
                answer instanceof List<?> ranges ? snapshot(ranges, node.address()) : null));
  }

  @Override
  public boolean hasSlots() {
    return true;
  }

  /** {@code [[from, to, [host, port, id, ...], replica...], ...]}, or null if there is nothing. */
  static @Nullable TopologySnapshot snapshot(List<?> ranges, SocketAddress asked) {
    Map<InetSocketAddress, TopologySnapshot.Part> byMaster = new LinkedHashMap<>();
    for (Object one : ranges) {
      List<?> range = (List<?>) one;
      List<InetSocketAddress> servers = new ArrayList<>();
      for (Object server : range.subList(2, range.size())) {
        servers.add(address((List<?>) server, asked));
      }
      InetSocketAddress master = servers.getFirst();
      TopologySnapshot.Part part =
          byMaster.computeIfAbsent(
              master,
              any ->
                  new TopologySnapshot.Part(
                      any, servers.subList(1, servers.size()), new ArrayList<>()));
      part.ranges().add(new TopologySnapshot.Range(number(range.get(0)), number(range.get(1))));
    }
    return byMaster.isEmpty() ? null : new TopologySnapshot(List.copyOf(byMaster.values()));
  }

  /** The address of a server. A node that does not know its own name is reported without host. */
  private static InetSocketAddress address(List<?> server, SocketAddress asked) {
    String host = server.get(0) instanceof String text ? text : "";
    boolean isUnknown = host.isEmpty() || host.equals("?");
    if (isUnknown && asked instanceof InetSocketAddress here) host = here.getHostString();
    return InetSocketAddress.createUnresolved(host, number(server.get(1)));
  }

  private static int number(@Nullable Object value) {
    if (!(value instanceof Long number)) throw new IllegalStateException("not a number: " + value);
    return number.intValue();
  }
}
