package dev.kermes.server.sentinel;

import dev.kermes.server.node.NodeServer;
import dev.kermes.server.node.ServerNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of the sentinels about one server of a master: the master itself, a replica, or a
 * sentinel. Guarded by the monitor of the group; times are in milliseconds of its clock.
 */
public final class Instance {

  /** Its kind, by the word in events. */
  enum Kind {
    MASTER,
    SLAVE,
    SENTINEL;

    private final String word = name().toLowerCase(Locale.ROOT);
  }

  /** Its part in a failover; all but the first are flags in replies. */
  enum Part {
    NONE,
    PROMOTED,
    RECONF_SENT,
    RECONF_INPROG,
    RECONF_DONE
  }

  /**
   * 1 second: by then clients have heard of a new master. Connections that they opened to the
   * former one in between are closed; Jedis would keep using them. redis-sentinel closes them when
   * it makes a former master a replica, some 8 seconds after the failover.
   */
  private static final long HEARD_MILLIS = 1_000;

  final Kind kind;
  final String name;
  final @Nullable ServerNode node;
  private final MonitoredMaster monitored;
  private final String host;
  private final int port;
  private final long knownSince;

  private boolean isReachable;
  private long seen;
  private boolean isDown;
  private long downSince;
  private boolean isObjectivelyDown;
  private long objectivelyDownSince;
  private String runId = "";
  private int priority;
  private NodeServer.Progress progress = new NodeServer.Progress(0, 0, false);

  /** Whether it was the master when it became unreachable, and does not know that it is none. */
  private boolean isFormerMaster;

  /** When it closes the connections of clients once more. */
  private long disconnectAt = Long.MAX_VALUE;

  Part part = Part.NONE;

  /** The count of its progress when its part last changed. */
  private long countBefore;

  Instance(MonitoredMaster monitored, Kind kind, String name, ServerNode node) {
    this(monitored, kind, name, node, node.host(), node.frontPort());
  }

  Instance(
      MonitoredMaster monitored,
      Kind kind,
      String name,
      @Nullable ServerNode node,
      String host,
      int port) {
    this.monitored = monitored;
    this.kind = kind;
    this.name = name;
    this.node = node;
    this.host = host;
    this.port = port;
    knownSince = monitored.now();
    seen = knownSince;
    isReachable = node != null && node.isReachable();
    readFacts();
  }

  static Instance replica(MonitoredMaster monitored, ServerNode node) {
    return new Instance(monitored, Kind.SLAVE, node.host() + ":" + node.frontPort(), node);
  }

  // Addresses

  public String ip() {
    return node instanceof SentinelNode sentinel ? sentinel.ip() : host;
  }

  public int port() {
    return node instanceof SentinelNode sentinel ? sentinel.announcedPort() : port;
  }

  /** Whether that is its address. */
  public boolean isAt(String otherIp, long otherPort) {
    return ip().equals(otherIp) && port() == otherPort;
  }

  /** It as an event names it. */
  String inEvents() {
    String self = kind.word + " " + name + " " + ip() + " " + port();
    return kind == Kind.MASTER ? self : self + " @ " + monitored.nameAndAddress();
  }

  // Watching

  public boolean isDown() {
    return isDown;
  }

  boolean isObjectivelyDown() {
    return isObjectivelyDown;
  }

  boolean isReachable() {
    return isReachable;
  }

  /** Notes that clients have just been told of another master, and whether it knows that itself. */
  void replaced(boolean knowsIt) {
    isFormerMaster = !knowsIt;
    disconnectAt = monitored.now() + HEARD_MILLIS;
  }

  /** Looks whether it is there, and announces what has changed. */
  void look(long downAfterMillis) {
    isReachable = node != null && node.isReachable();
    long now = monitored.now();
    if (isReachable) {
      seen = now;
      if (isDown) {
        isDown = false;
        monitored.announce("-sdown", this);
      }
      readFacts();
      if (now >= disconnectAt) disconnectClients();
    } else if (!isDown && now - seen > downAfterMillis) {
      isDown = true;
      downSince = now;
      monitored.announce("+sdown", this);
    }
  }

  private void disconnectClients() {
    disconnectAt = Long.MAX_VALUE;
    NodeServer server = node == null ? null : node.server();
    if (server != null) server.disconnectClients();
  }

  private void readFacts() {
    NodeServer server = node == null ? null : node.server();
    if (server == null) return;
    boolean isOther = !runId.isEmpty() && !runId.equals(server.runId());
    runId = server.runId();
    priority = server.priority();
    progress = server.recent();
    if (kind == Kind.SENTINEL) return;
    if (isOther) monitored.announce("+reboot", this);
    if (isFormerMaster) monitored.announce("+convert-to-slave", this);
    isFormerMaster = false;
  }

  /** Sets whether enough sentinels see it down. */
  void objectivelyDown(boolean isAgreed, int agreeing) {
    if (isAgreed == isObjectivelyDown) return;
    isObjectivelyDown = isAgreed;
    objectivelyDownSince = monitored.now();
    if (isAgreed) {
      String quorum = " #quorum " + agreeing + "/" + monitored.quorum();
      monitored.announce("+odown", inEvents() + quorum);
    } else {
      monitored.announce("-odown", this);
    }
  }

  // As a candidate

  String runId() {
    return runId;
  }

  int priority() {
    return priority;
  }

  /** Has its progress noted for the next look. */
  void refresh() {
    NodeServer server = node == null ? null : node.server();
    if (server != null) server.refresh();
  }

  NodeServer.Progress progress() {
    return progress;
  }

  void part(Part next) {
    part = next;
    countBefore = progress.count();
  }

  /** Whether its progress has been noted anew since its part changed, more than once if needed. */
  boolean hasProgressed(int times) {
    return progress.count() >= countBefore + times;
  }

  // Facts

  /** The names and values in replies about it. */
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("name", name);
    facts.put("ip", ip());
    facts.put("port", Integer.toString(port()));
    facts.put("runid", node instanceof SentinelNode sentinel ? sentinel.id() : runId);
    facts.put("flags", flags());
    facts.put("link-pending-commands", "0");
    facts.put("link-refcount", "1");
    SentinelFailover failover = monitored.failover();
    if (kind == Kind.MASTER && failover != null) facts.put("failover-state", failover.stateWord());
    String silence = since(seen);
    facts.put("last-ping-sent", isReachable ? "0" : silence);
    facts.put("last-ok-ping-reply", silence);
    facts.put("last-ping-reply", silence);
    if (isDown) facts.put("s-down-time", since(downSince));
    if (isObjectivelyDown) facts.put("o-down-time", since(objectivelyDownSince));
    facts.put("down-after-milliseconds", Long.toString(monitored.downAfterMillis()));
    if (kind == Kind.SENTINEL) {
      addFactsOfSentinel(facts);
      return facts;
    }
    facts.put("info-refresh", silence);
    facts.put("role-reported", kind.word);
    facts.put("role-reported-time", since(knownSince));
    if (kind == Kind.MASTER) monitored.addFacts(facts);
    else addFactsOfReplica(facts);
    return facts;
  }

  private String since(long millis) {
    return Long.toString(monitored.now() - millis);
  }

  private void addFactsOfReplica(Map<String, String> facts) {
    boolean isLinked = progress.isInSync() && monitored.master().isReachable;
    facts.put("master-link-down-time", isLinked ? "0" : since(monitored.master().seen));
    facts.put("master-link-status", isLinked ? "ok" : "err");
    facts.put("master-host", monitored.master().ip());
    facts.put("master-port", Integer.toString(monitored.master().port()));
    facts.put("slave-priority", Integer.toString(priority));
    facts.put("slave-repl-offset", Long.toString(progress.offset()));
    facts.put("replica-announced", "1");
  }

  private void addFactsOfSentinel(Map<String, String> facts) {
    facts.put("last-hello-message", since(seen));
    Vote vote = monitored.vote();
    facts.put("voted-leader", vote.isGiven() ? vote.leader() : "?");
    facts.put("voted-leader-epoch", Long.toString(vote.epoch()));
  }

  private String flags() {
    List<String> flags = new ArrayList<>();
    if (isDown) flags.add("s_down");
    if (isObjectivelyDown) flags.add("o_down");
    flags.add(kind.word);
    if (node == null || node.server() == null) flags.add("disconnected");
    if (part != Part.NONE) flags.add(part.name().toLowerCase(Locale.ROOT));
    SentinelFailover failover = kind == Kind.MASTER ? monitored.failover() : null;
    if (failover != null) flags.add("failover_in_progress");
    if (failover != null && failover.isForced()) flags.add("force_failover");
    return String.join(",", flags);
  }
}
