package dev.kermes.server.sentinel;

import dev.kermes.server.node.ServerNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A master that the sentinels watch under a name, with its replicas and its sentinels. Guarded by
 * the monitor of the group.
 */
public final class MonitoredMaster {

  private final SentinelGroup group;
  private final String name;
  private int quorum;
  private long downAfterMillis = 30_000;
  private long failoverTimeoutMillis = 180_000;
  private int parallelSyncs = 1;

  private Instance master;
  private List<Instance> replicas = new ArrayList<>();
  private List<Instance> sentinels = new ArrayList<>();
  private long configEpoch;
  private @Nullable SentinelFailover failover;
  private long failoverSince = Long.MIN_VALUE / 2;
  private Vote vote = Vote.NONE;

  MonitoredMaster(SentinelGroup group, String name, String ip, int port, int quorum) {
    this.group = group;
    this.name = name;
    this.quorum = quorum;
    master = new Instance(this, Instance.Kind.MASTER, name, group.nodeAt(ip, port), ip, port);
  }

  SentinelGroup group() {
    return group;
  }

  long now() {
    return group.now();
  }

  public String name() {
    return name;
  }

  // Options

  public int quorum() {
    return quorum;
  }

  public void quorum(int count) {
    quorum = count;
  }

  long downAfterMillis() {
    return downAfterMillis;
  }

  public void downAfterMillis(long millis) {
    downAfterMillis = millis;
  }

  long failoverTimeoutMillis() {
    return failoverTimeoutMillis;
  }

  public void failoverTimeoutMillis(long millis) {
    failoverTimeoutMillis = millis;
  }

  int parallelSyncs() {
    return parallelSyncs;
  }

  public void parallelSyncs(int count) {
    parallelSyncs = count;
  }

  /** The name and all options, to see whether they have changed. */
  public String settings() {
    return "%s: quorum=%d, down after %d ms, failover timeout %d ms, parallel syncs %d"
        .formatted(name, quorum, downAfterMillis, failoverTimeoutMillis, parallelSyncs);
  }

  // Instances

  /** The master that it was before a failover that is under way. */
  public Instance master() {
    return master;
  }

  /** The master for clients. */
  public Instance current() {
    Instance successor = failover == null ? null : failover.successor();
    return successor == null ? master : successor;
  }

  public List<Instance> replicas() {
    return replicas;
  }

  /** The sentinels but for one. */
  public List<Instance> sentinelsBut(SentinelNode self) {
    return sentinels.stream().filter(each -> each.node != self).toList();
  }

  /** The sentinels that are there. */
  public int usableSentinels() {
    return (int) sentinels.stream().filter(each -> !each.isDown()).count();
  }

  /** Whether enough sentinels are there to authorize a failover. */
  public boolean hasMajority() {
    return usableSentinels() > sentinels.size() / 2;
  }

  /** It as an event names it. */
  public String asEvent() {
    return master.inEvents();
  }

  String nameAndAddress() {
    return name + " " + master.ip() + " " + master.port();
  }

  void announce(String type, Instance about) {
    announce(type, about.inEvents());
  }

  void announce(String type, String text) {
    group.announce(type, text);
  }

  // Watching

  /** Looks at all instances, and begins or continues a failover if one is due. */
  void look() {
    discover();
    master.look(downAfterMillis);
    for (Instance each : replicas) each.look(downAfterMillis);
    for (Instance each : sentinels) each.look(downAfterMillis);
    int agreeing = reachableSentinels();
    master.objectivelyDown(master.isDown() && agreeing >= quorum, agreeing);
    if (failover == null && mustFailOver()) beginFailover(group.leader(), false);
    boolean isMoving = failover != null;
    while (isMoving) isMoving = failover != null && failover.step();
  }

  /** Adds replicas and sentinels that have come. */
  private void discover() {
    for (WatchedNode each : group.nodes()) {
      boolean isOurs = each.isReachable() && each.master == master.node && master.node != null;
      if (isOurs && replicas.stream().noneMatch(known -> known.node == each)) {
        add(replicas, Instance.replica(this, each), "+slave");
      }
    }
    for (SentinelNode each : group.sentinels()) {
      if (!each.isReachable() || sentinels.stream().anyMatch(known -> known.node == each)) continue;
      add(sentinels, new Instance(this, Instance.Kind.SENTINEL, each.id(), each), "+sentinel");
    }
  }

  private void add(List<Instance> known, Instance fresh, String type) {
    known.add(fresh);
    announce(type, fresh);
  }

  private int reachableSentinels() {
    return (int) sentinels.stream().filter(Instance::isReachable).count();
  }

  private boolean mustFailOver() {
    return master.isObjectivelyDown()
        && reachableSentinels() > sentinels.size() / 2
        && now() - failoverSince >= 2 * failoverTimeoutMillis;
  }

  /** Forgets replicas and sentinels that are not there, and any failover. */
  void reset() {
    if (current().node instanceof WatchedNode taker && taker != master.node) {
      switchTo(taker, group.epoch());
    }
    failover = null;
    replicas = new ArrayList<>();
    sentinels = new ArrayList<>();
    announce("+reset-master", master);
    look();
  }

  // Failover

  /** The failover that is under way; null if there is none. */
  @Nullable SentinelFailover failover() {
    return failover;
  }

  /**
   * Begins a failover although the master is there, unless one is under way or no replica can take
   * over; returns the error, which is empty if it has begun.
   *
   * @param leader the sentinel that announces its steps
   */
  public String requestFailover(SentinelNode leader) {
    if (failover != null) return "INPROG Failover already in progress";
    if (SentinelFailover.candidates(this).isEmpty()) {
      return "NOGOODSLAVE No suitable replica to promote";
    }
    beginFailover(leader, true);
    return "";
  }

  private void beginFailover(SentinelNode leader, boolean isForced) {
    failoverSince = now();
    failover = new SentinelFailover(this, leader, group.nextEpoch(), isForced);
  }

  void endFailover() {
    failover = null;
  }

  /** Notes that a server has become the master instead of this one. */
  void promoted(WatchedNode node) {
    SentinelFailover running = failover;
    if (running != null && running.awaits(node)) running.promoted();
    else switchTo(node, group.nextEpoch()); // a client sent FAILOVER to the master
  }

  /** Makes a server the master for clients, and all others its replicas. */
  void switchTo(WatchedNode node, long epoch) {
    Instance former = master;
    List<ServerNode> others = new ArrayList<>();
    for (Instance each : replicas)
      if (each.node != null && each.node != node) others.add(each.node);
    if (former.node != null) others.add(former.node);
    failover = null;
    configEpoch = epoch;
    master = new Instance(this, Instance.Kind.MASTER, name, node);
    replicas = new ArrayList<>();
    for (ServerNode each : others) {
      if (each == former.node || each.master() != node) group.follow(each, node);
      replicas.add(Instance.replica(this, each));
    }
    String addresses = former.ip() + " " + former.port() + " " + master.ip() + " " + master.port();
    announce("+switch-master", name + " " + addresses);
    for (Instance each : replicas) {
      announce("+slave", each);
      if (each.node == former.node) each.replaced(former.isReachable());
    }
  }

  // Votes

  /** Votes for a leader unless a vote in that epoch, or a later one, was given before. */
  public Vote vote(String runId, long epoch) {
    group.sawEpoch(epoch);
    if (vote.epoch() < epoch && group.epoch() <= epoch) vote = new Vote(runId, epoch);
    return vote;
  }

  Vote vote() {
    return vote;
  }

  // Facts

  /** Adds the facts that only a master has. */
  void addFacts(Map<String, String> facts) {
    facts.put("config-epoch", Long.toString(configEpoch));
    facts.put("num-slaves", Integer.toString(replicas.size()));
    facts.put("num-other-sentinels", Integer.toString(Math.max(0, sentinels.size() - 1)));
    facts.put("quorum", Integer.toString(quorum));
    facts.put("failover-timeout", Long.toString(failoverTimeoutMillis));
    facts.put("parallel-syncs", Integer.toString(parallelSyncs));
  }

  /** Its line in INFO, without the number. */
  public String line() {
    String status = master.isObjectivelyDown() ? "odown" : master.isDown() ? "sdown" : "ok";
    return "name="
        + name
        + ",status="
        + status
        + ",address="
        + master.ip()
        + ":"
        + master.port()
        + ",slaves="
        + replicas.size()
        + ",sentinels="
        + sentinels.size();
  }
}
