package dev.kermes.tools.torture;

import dev.kermes.testkit.KermesCluster;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster. Its faults are a failover on demand, a slot of the topic that moves key by key, and a
 * master that is killed, which needs servers of ours.
 *
 * @param ours ended at the end; null for servers of others
 */
record EventsCluster(String url, List<InetSocketAddress> seeds, @Nullable KermesCluster ours)
    implements EventsServers {

  /** Three masters, each with a replica, in this JVM. */
  static EventsCluster start() {
    KermesCluster started = KermesCluster.start(3, 1);
    List<InetSocketAddress> seeds =
        started.nodes().stream().map(KermesCluster.Node::address).toList();
    return new EventsCluster(started.url(), seeds, started);
  }

  /** A node as CLUSTER NODES tells of it. */
  private record Node(String id, String host, int port, boolean isMaster, String slots) {

    /** {@code id host:port@bus[,hostname] flags master ping pong epoch link [slots ...]}. */
    static Node parse(String line) {
      String[] words = line.split(" ", 9);
      String address = words[1].substring(0, words[1].indexOf('@'));
      int colon = address.lastIndexOf(':');
      return new Node(
          words[0],
          address.substring(0, colon),
          Integer.parseInt(address.substring(colon + 1)),
          words[2].contains("master"),
          words.length > 8 ? words[8] : "");
    }

    String url() {
      return "redis://" + host + ":" + port;
    }

    boolean has(int slot) {
      return Stream.of(slots.split(" "))
          .filter(range -> !range.isEmpty() && !range.startsWith("["))
          .map(range -> range.split("-"))
          .anyMatch(ends ->
              Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]));
    }

    @Nullable Object cluster(String... arguments) {
      return EventsServers.call(url(), "CLUSTER", arguments);
    }
  }

  /** The nodes that have not failed, as the first of them sees it. */
  private List<Node> nodes() {
    InetSocketAddress seed = seeds.getFirst();
    String address = "redis://" + seed.getHostString() + ":" + seed.getPort();
    String text = (String) Objects.requireNonNull(EventsServers.call(address, "CLUSTER", "NODES"));
    return text.lines()
        .filter(line -> !line.contains("fail") && !line.contains("noaddr"))
        .map(Node::parse)
        .toList();
  }

  private List<Node> masterNodes() {
    return nodes().stream().filter(node -> node.isMaster() && !node.slots().isEmpty()).toList();
  }

  @Override
  public Set<EventsTorture.Fault> faults() {
    Set<EventsTorture.Fault> all =
        EnumSet.of(EventsTorture.Fault.FAILOVER, EventsTorture.Fault.MOVE);
    if (ours != null) all.add(EventsTorture.Fault.CRASH);
    return all;
  }

  @Override
  public boolean hasReplicas() {
    return true;
  }

  @Override
  public List<String> masters() {
    return masterNodes().stream().map(Node::url).toList();
  }

  @Override
  public void run(EventsTorture.Fault fault, Random random) {
    if (fault == EventsTorture.Fault.MOVE) move(random);
    else if (fault == EventsTorture.Fault.CRASH && ours != null) crash(ours, random);
    else failOver(random);
  }

  private void failOver(Random random) {
    List<Node> replicas = nodes().stream().filter(node -> !node.isMaster()).toList();
    Node heir = replicas.get(random.nextInt(replicas.size()));
    Object unused = heir.cluster("FAILOVER");
    EventsServers.await("failed over", () -> masters().contains(heir.url()));
  }

  private static void crash(KermesCluster cluster, Random random) {
    List<KermesCluster.Node> masters =
        cluster.nodes().stream().filter(KermesCluster.Node::isMaster).toList();
    KermesCluster.Node victim = masters.get(random.nextInt(masters.size()));
    cluster.kill(victim);
    cluster.restart(victim);
  }

  /** Moves the slot of a partition to another master, as redis-cli does. */
  private void move(Random random) {
    String key = "{" + EventsVictim.TOPIC + ":" + random.nextInt(EventsVictim.PARTITIONS) + "}";
    int slot = KermesCluster.slot(key);
    List<Node> masters = masterNodes();
    Node source = masters.stream().filter(node -> node.has(slot)).findFirst().orElseThrow();
    List<Node> others = masters.stream().filter(node -> node != source).toList();
    Node target = others.get(random.nextInt(others.size()));
    String number = Integer.toString(slot);
    Object unused = target.cluster("SETSLOT", number, "IMPORTING", source.id());
    Object unusedToo = source.cluster("SETSLOT", number, "MIGRATING", target.id());
    boolean hadKeys = true;
    while (hadKeys) hadKeys = moveKeys(source, target, number);
    for (Node each : List.of(target, source)) {
      Object unusedAsWell = each.cluster("SETSLOT", number, "NODE", target.id());
    }
  }

  private static boolean moveKeys(Node source, Node target, String slot) {
    List<?> keys = (List<?>) Objects.requireNonNull(source.cluster("GETKEYSINSLOT", slot, "100"));
    if (keys.isEmpty()) return false;
    List<String> command = new ArrayList<>(List.of(target.host(), Integer.toString(target.port())));
    command.addAll(List.of("", "0", "5000", "KEYS"));
    for (Object key : keys) command.add(key.toString());
    Object unused = EventsServers.call(source.url(), "MIGRATE", command.toArray(String[]::new));
    return true;
  }

  @Override
  public void close() {
    if (ours != null) ours.close();
  }
}
