package dev.kermes.client.internal.routing;

import dev.kermes.client.Deployment;
import dev.kermes.client.ReadFrom;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.PipelinedConnection;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sentinels that monitor one master. Each has a connection for queries and one on which it
 * announces that the master has changed. Sentinels that answer tell about further sentinels. Owned
 * by the event loop.
 */
final class Sentinels implements TopologySource, Node.Owner {
  /** The connection for a sentinel's announcements. */
  private static final class Announcements implements PipelinedConnection.Listener {
    private final PipelinedConnection connection;
    private final Runnable onSwitch;

    Announcements(RedisOptions options, Connector connector, Runnable onSwitch) {
      this.onSwitch = onSwitch;
      connection = new PipelinedConnection(options, connector, true, this, connector.callbacks());
      connection.open();
    }

    @Override
    public void onReady() {
      connection.expectPushesOnly();
      connection.writeUnqueued(EncodedCommand.of("SUBSCRIBE", "+switch-master"));
    }

    @Override
    public boolean expectsPushes() {
      return true;
    }

    @Override
    public void onPush(ReplyReader in) {
      if (in.type() != ReplyType.PUSH && in.type() != ReplyType.ARRAY) return;
      if (in.readArray() == 3 && "message".equals(in.readString())) onSwitch.run();
    }
  }

  private record KnownSentinel(Node node, Announcements announcements) {}

  private final RedisOptions options;
  private final Connector connector;
  private final String master;
  private final boolean wantsReplicas;
  private final Map<InetSocketAddress, KnownSentinel> sentinels = new LinkedHashMap<>();
  private final List<InetSocketAddress> seeds;
  private @Nullable Runnable onSwitch;

  /** Takes the options of the servers; the sentinels have their own credentials. */
  Sentinels(RedisOptions options, Deployment.Sentinel watched, Connector connector) {
    this.options = forSentinel(options, watched);
    this.connector = connector;
    this.master = watched.master();
    this.seeds = watched.sentinels();
    this.wantsReplicas = options.readFrom() != ReadFrom.MASTER;
  }

  /** The options for a sentinel, which has its own users and no databases. */
  private static RedisOptions forSentinel(RedisOptions options, Deployment.Sentinel watched) {
    return options.toBuilder()
        .deployment(new Deployment.Single())
        .database(0)
        .user(watched.user())
        .password(watched.password())
        .credentials(null)
        .build();
  }

  @Override
  public void start(Runnable onSwitch) {
    this.onSwitch = onSwitch;
    for (InetSocketAddress seed : seeds) add(seed);
  }

  private void add(InetSocketAddress address) {
    Runnable told = onSwitch;
    if (told == null || sentinels.containsKey(address)) return;
    RedisOptions own = options.toBuilder(address).queuesWhileDisconnected(false).build();
    Node node = new Node(own, connector.to(own), this);
    node.open();
    sentinels.put(
        address, new KnownSentinel(node, new Announcements(own, connector.to(own), told)));
  }

  @Override
  public boolean hasSlots() {
    return false;
  }

  @Override
  public void ask(Consumer<@Nullable TopologySnapshot> done) {
    ArrayDeque<Node> order = new ArrayDeque<>();
    for (KnownSentinel one : sentinels.values()) {
      if (one.node().isReady()) order.addFirst(one.node());
      else order.addLast(one.node());
    }
    TopologySource.askInTurn(order, this::ask, done);
  }

  private void ask(Node node, Consumer<@Nullable TopologySnapshot> taker) {
    ask(
        node,
        "GET-MASTER-ADDR-BY-NAME",
        answer -> {
          if (answer instanceof List<?> hostAndPort && hostAndPort.size() == 2) {
            InetSocketAddress found = address(hostAndPort.get(0), hostAndPort.get(1));
            ask(node, "SENTINELS", others -> learn(others));
            if (wantsReplicas) ask(node, "REPLICAS", all -> taker.accept(snapshot(found, all)));
            else taker.accept(TopologySnapshot.of(found, List.of()));
          } else {
            taker.accept(null);
          }
        });
  }

  private void ask(Node node, String question, Consumer<@Nullable Object> taker) {
    LoopCall.send(
        node, EncodedCommand.of("SENTINEL", question, master).withTimeout(ANSWER_TIMEOUT), taker);
  }

  private void learn(@Nullable Object others) {
    if (!(others instanceof List<?> list)) return;
    for (Object one : list) {
      Map<?, ?> facts = facts(one);
      add(address(facts.get("ip"), facts.get("port")));
    }
  }

  private static TopologySnapshot snapshot(InetSocketAddress master, @Nullable Object replicas) {
    List<InetSocketAddress> usable = new ArrayList<>();
    if (replicas instanceof List<?> list) {
      for (Object one : list) {
        Map<?, ?> facts = facts(one);
        if (isUsable(facts)) usable.add(address(facts.get("ip"), facts.get("port")));
      }
    }
    return TopologySnapshot.of(master, usable);
  }

  private static boolean isUsable(Map<?, ?> replica) {
    String flags = String.valueOf(replica.get("flags"));
    return !flags.contains("down") && !flags.contains("disconnected");
  }

  /** Reads a map (RESP3), or alternating names and values (RESP2). */
  private static Map<?, ?> facts(@Nullable Object reply) {
    if (reply instanceof Map<?, ?> map) return map;
    Map<@Nullable Object, @Nullable Object> facts = new LinkedHashMap<>();
    if (reply instanceof List<?> list) {
      for (int i = 0; i + 1 < list.size(); i += 2) facts.put(list.get(i), list.get(i + 1));
    }
    return facts;
  }

  private static InetSocketAddress address(@Nullable Object host, @Nullable Object port) {
    return InetSocketAddress.createUnresolved(
        String.valueOf(host), Integer.parseInt(String.valueOf(port)));
  }

  @Override
  public boolean tryTakeOver(Node node, PendingCommand pending, RedisException failure) {
    return false;
  }

  @Override
  public void close() {
    for (KnownSentinel one : sentinels.values()) {
      one.node().close();
      one.announcements().connection.close();
    }
  }
}
