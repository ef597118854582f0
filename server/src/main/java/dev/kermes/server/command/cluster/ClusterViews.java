package dev.kermes.server.command.cluster;

import static dev.kermes.server.command.MapEntries.number;
import static dev.kermes.server.command.MapEntries.text;

import dev.kermes.commands.HashSlots;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.Topology;
import dev.kermes.server.command.Call;
import dev.kermes.server.config.ClusterOptions;
import dev.kermes.server.node.NodeServer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The cluster as a node shows it to clients: CLUSTER INFO, NODES, SLOTS, SHARDS. */
final class ClusterViews {

  private static final int BUS_DISTANCE = 10_000;
  private static final int PORT_MAX = 65_535;

  /** Slots from {@code from} to {@code to}, both included, of one master. */
  private record Range(int from, int to) {}

  private ClusterViews() {}

  private static ClusterOptions options(Call call) {
    return call.engine().settings().clusterOptions();
  }

  /** Slots in the form {@code 1-3 5-5}. */
  static String rangesText(BitSet slots) {
    StringJoiner text = new StringJoiner(" ");
    for (Range each : ranges(slots)) text.add(each.from() + "-" + each.to());
    return text.toString();
  }

  private static List<Range> ranges(BitSet slots) {
    List<Range> ranges = new ArrayList<>();
    for (int from = slots.nextSetBit(0); from >= 0; ) {
      int end = slots.nextClearBit(from);
      ranges.add(new Range(from, end - 1));
      from = slots.nextSetBit(end);
    }
    return ranges;
  }

  // INFO

  static String info(Call call, ClusterNode self) {
    Topology topology = self.topology();
    List<ClusterNode> known = topology.knownTo(self);
    int assigned = 0;
    int failed = 0;
    int masters = 0;
    for (ClusterNode each : known) {
      int count = topology.slotsOf(each).cardinality();
      assigned += count;
      if (each.isFailed()) failed += count;
      if (count > 0) masters++;
    }
    boolean isUp = topology.isUp(self, options(call).needsAllSlots.isOn());
    StringBuilder text = new StringBuilder();
    line(text, "cluster_state", isUp ? "ok" : "fail");
    line(text, "cluster_slots_assigned", assigned);
    line(text, "cluster_slots_ok", assigned - failed);
    line(text, "cluster_slots_pfail", 0);
    line(text, "cluster_slots_fail", failed);
    line(text, "cluster_known_nodes", known.size());
    line(text, "cluster_size", masters);
    line(text, "cluster_current_epoch", topology.epoch());
    line(text, "cluster_my_epoch", self.epoch());
    line(text, "cluster_stats_messages_sent", 0);
    line(text, "cluster_stats_messages_received", 0);
    line(text, "total_cluster_links_buffer_limit_exceeded", 0);
    return text.toString();
  }

  private static void line(StringBuilder text, String name, Object value) {
    text.append(name).append(':').append(value).append("\r\n");
  }

  // NODES

  static String nodes(Call call, ClusterNode self) {
    StringBuilder text = new StringBuilder();
    for (ClusterNode each : self.topology().knownTo(self)) {
      text.append(line(call, self, each)).append('\n');
    }
    return text.toString();
  }

  /** {@code id ip:port@bus,host flags master ping pong epoch link slots}. */
  static String line(Call call, ClusterNode self, ClusterNode node) {
    int port = Endpoints.port(self, node);
    // There is no bus; some clients expect a port nevertheless.
    int bus = node.busPort() > 0 ? node.busPort() : port + BUS_DISTANCE;
    if (bus > PORT_MAX) bus = 0;
    StringBuilder text = new StringBuilder();
    text.append(node.id()).append(' ');
    text.append(node.ip()).append(':').append(port).append('@').append(bus);
    if (!node.hostname().isEmpty()) text.append(',').append(node.hostname());
    text.append(' ').append(flags(self, node));
    ClusterNode master = node.master();
    text.append(' ').append(master == null ? "-" : master.id());
    long heardMillis = node == self || node.isFailed() ? 0 : call.nowMillis();
    text.append(" 0 ").append(heardMillis).append(' ').append(node.epoch());
    text.append(node.isFailed() ? " disconnected" : " connected");
    for (Range each : ranges(self.topology().slotsOf(node))) {
      text.append(' ').append(each.from());
      if (each.to() > each.from()) text.append('-').append(each.to());
    }
    if (node == self) openSlots(text, self);
    return text.toString();
  }

  private static String flags(ClusterNode self, ClusterNode node) {
    String role = node.isReplica() ? "slave" : "master";
    return (node == self ? "myself," : "") + role + (node.isFailed() ? ",fail" : "");
  }

  /** {@code [93->-id]} for a slot that is leaving, {@code [93-<-id]} for one that is coming. */
  private static void openSlots(StringBuilder text, ClusterNode self) {
    Map<Integer, String> open = new TreeMap<>();
    self.migrating().forEach((slot, to) -> open.put(slot, "->-" + to.id()));
    self.importing().forEach((slot, from) -> open.put(slot, "-<-" + from.id()));
    open.forEach((slot, peer) -> text.append(" [").append(slot).append(peer).append(']'));
  }

  // SLOTS

  static void slots(Call call, ClusterNode self) {
    List<Range> ranges = new ArrayList<>();
    List<ClusterNode> owners = new ArrayList<>();
    for (int from = 0; from < HashSlots.COUNT; ) {
      ClusterNode owner = self.ownerOf(from);
      int to = from;
      while (to + 1 < HashSlots.COUNT && self.ownerOf(to + 1) == owner) to++;
      if (owner != null) {
        ranges.add(new Range(from, to));
        owners.add(owner);
      }
      from = to + 1;
    }
    call.reply().array(ranges.size());
    for (int i = 0; i < ranges.size(); i++) range(call, self, ranges.get(i), owners.get(i));
  }

  private static void range(Call call, ClusterNode self, Range range, ClusterNode master) {
    List<ClusterNode> replicas = new ArrayList<>(self.topology().replicasOf(master));
    replicas.removeIf(each -> !mayServe(each));
    call.reply().array(3 + replicas.size());
    call.reply().integer(range.from());
    call.reply().integer(range.to());
    place(call, self, master);
    for (ClusterNode each : replicas) place(call, self, each);
  }

  private static boolean mayServe(ClusterNode replica) {
    NodeServer server = replica.server();
    return !replica.isFailed() && server != null && !server.isLoading();
  }

  private static void place(Call call, ClusterNode self, ClusterNode node) {
    RespWriter reply = call.reply();
    String type = options(call).endpointType.value();
    boolean showsIp = !type.equals("ip");
    boolean showsHost = !type.equals("hostname") && !node.hostname().isEmpty();
    reply.array(4);
    bulkOrNil(reply, Endpoints.host(node, options(call)));
    reply.integer(Endpoints.port(self, node));
    reply.bulk(node.id());
    reply.map((showsIp ? 1 : 0) + (showsHost ? 1 : 0));
    if (showsIp) text(reply, "ip", node.ip());
    if (showsHost) text(reply, "hostname", node.hostname());
  }

  private static void bulkOrNil(RespWriter reply, @Nullable String text) {
    if (text == null) reply.nil();
    else reply.bulk(text);
  }

  // SHARDS

  static void shards(Call call, ClusterNode self) {
    List<ClusterNode> masters = new ArrayList<>(self.topology().knownTo(self));
    masters.removeIf(ClusterNode::isReplica);
    call.reply().array(masters.size());
    for (ClusterNode each : masters) shard(call, self, each);
  }

  private static void shard(Call call, ClusterNode self, ClusterNode master) {
    RespWriter reply = call.reply();
    List<Range> ranges = ranges(self.topology().slotsOf(master));
    List<ClusterNode> replicas = self.topology().replicasOf(master);
    reply.map(2);
    reply.bulk("slots");
    reply.array(2 * ranges.size());
    for (Range each : ranges) {
      reply.integer(each.from());
      reply.integer(each.to());
    }
    reply.bulk("nodes");
    reply.array(1 + replicas.size());
    details(call, master);
    for (ClusterNode each : replicas) details(call, each);
  }

  private static void details(Call call, ClusterNode node) {
    RespWriter reply = call.reply();
    boolean hasTcp = node.clientPort() > 0;
    boolean hasTls = node.clientTlsPort() > 0;
    boolean hasName = !node.hostname().isEmpty();
    NodeServer server = node.server();
    reply.map(6 + (hasTcp ? 1 : 0) + (hasTls ? 1 : 0) + (hasName ? 1 : 0));
    text(reply, "id", node.id());
    if (hasTcp) number(reply, "port", node.clientPort());
    if (hasTls) number(reply, "tls-port", node.clientTlsPort());
    text(reply, "ip", node.ip());
    reply.bulk("endpoint");
    bulkOrNil(reply, Endpoints.host(node, options(call)));
    if (hasName) text(reply, "hostname", node.hostname());
    text(reply, "role", node.isReplica() ? "replica" : "master");
    number(reply, "replication-offset", server == null ? 0 : server.recent().offset());
    text(reply, "health", health(node, server));
  }

  private static String health(ClusterNode node, @Nullable NodeServer server) {
    if (node.isFailed() || server == null) return "fail";
    return server.recent().isInSync() ? "online" : "loading";
  }
}
