package dev.kermes.server.sentinel;

import dev.kermes.server.node.NodeServer;
import dev.kermes.server.node.ServerNode;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One failover of a master, in the steps and with the events of redis-sentinel:
 *
 * <pre>
 *   WAIT_START          a leader is there at once, since the sentinels agree
 *   SELECT_SLAVE        once every candidate has told its offset
 *   SEND_SLAVEOF_NOONE  the replica takes over; a master that is there hands over, so that no write is lost
 *   WAIT_PROMOTION      until the server says that it is the master
 *   RECONF_SLAVES       the others follow it, parallel-syncs at a time
 *   UPDATE_CONFIG       clients learn about it: +switch-master
 * </pre>
 *
 * Guarded by the monitor of the group.
 */
final class SentinelFailover {

  private enum State {
    WAIT_START,
    SELECT_SLAVE,
    SEND_SLAVEOF_NOONE,
    WAIT_PROMOTION,
    RECONF_SLAVES,
    UPDATE_CONFIG
  }

  private static final Comparator<Instance> BEST_FIRST =
      Comparator.comparingInt(Instance::priority)
          .thenComparingLong(each -> -each.progress().offset())
          .thenComparing(Instance::runId);

  private final MonitoredMaster monitored;
  private final SentinelNode leader;
  private final long epoch;
  private final boolean isForced;
  private State state = State.WAIT_START;
  private long stateSince;
  private @Nullable Instance next;

  /**
   * Creates it.
   *
   * @param leader the sentinel that announces the steps
   * @param isForced whether a client asked for it
   */
  SentinelFailover(MonitoredMaster monitored, SentinelNode leader, long epoch, boolean isForced) {
    this.monitored = monitored;
    this.leader = leader;
    this.epoch = epoch;
    this.isForced = isForced;
    stateSince = monitored.now();
    for (Instance each : monitored.replicas()) each.part(Instance.Part.NONE);
    monitored.announce("+new-epoch", Long.toString(epoch));
    announce("+try-failover", monitored.master());
  }

  String stateWord() {
    return state.name().toLowerCase(Locale.ROOT);
  }

  boolean isForced() {
    return isForced;
  }

  /** The server that has taken over; null until one has. */
  @Nullable Instance successor() {
    return state.compareTo(State.RECONF_SLAVES) >= 0 ? next : null;
  }

  private void announce(String type, Instance about) {
    announce(type, about.inEvents());
  }

  private void announce(String type, String text) {
    monitored.group().announce(leader, type, text);
  }

  private boolean enter(State following) {
    state = following;
    stateSince = monitored.now();
    return true;
  }

  private boolean isOverdue() {
    return monitored.now() - stateSince > monitored.failoverTimeoutMillis();
  }

  private boolean abort(String why) {
    announce("-failover-abort-" + why, monitored.master());
    for (Instance each : monitored.replicas()) each.part(Instance.Part.NONE);
    monitored.endFailover();
    return false;
  }

  /** Takes the next step if it is due; returns whether another one may follow at once. */
  boolean step() {
    for (Instance each : monitored.replicas()) each.refresh();
    return switch (state) {
      case WAIT_START -> elect();
      case SELECT_SLAVE -> select();
      case SEND_SLAVEOF_NOONE -> promote();
      case WAIT_PROMOTION -> isOverdue() && abort("slave-timeout");
      case RECONF_SLAVES -> reconfigure();
      case UPDATE_CONFIG -> end();
    };
  }

  private boolean elect() {
    Vote unused = monitored.vote(leader.id(), epoch);
    announce("+vote-for-leader", leader.id() + " " + epoch);
    announce("+elected-leader", monitored.master());
    announce("+failover-state-select-slave", monitored.master());
    return enter(State.SELECT_SLAVE);
  }

  private boolean select() {
    List<Instance> candidates = candidates(monitored);
    List<Instance> ready = candidates.stream().filter(each -> each.hasProgressed(1)).toList();
    if (ready.size() < candidates.size() && !isOverdue()) return false;
    if (ready.isEmpty()) return abort("no-good-slave");
    Instance best = Collections.min(ready, BEST_FIRST);
    next = best;
    announce("+selected-slave", best);
    announce("+failover-state-send-slaveof-noone", best);
    best.part(Instance.Part.PROMOTED);
    return enter(State.SEND_SLAVEOF_NOONE);
  }

  /** The replicas that may take over. */
  static List<Instance> candidates(MonitoredMaster monitored) {
    return monitored.replicas().stream()
        .filter(each -> each.isReachable() && !each.isDown() && each.priority() > 0)
        .toList();
  }

  private boolean promote() {
    Instance chosen = Objects.requireNonNull(next);
    ServerNode node = Objects.requireNonNull(chosen.node);
    NodeServer server = node.server();
    if (server == null || !node.isReachable()) return isOverdue() && abort("slave-timeout");
    announce("+failover-state-wait-promotion", chosen);
    ServerNode former = monitored.master().node;
    NodeServer giver = former != null && former.isReachable() ? former.server() : null;
    if (giver != null) giver.handOver(node);
    else server.takeOver();
    return enter(State.WAIT_PROMOTION);
  }

  /** Whether it waits for that server to become the master. */
  boolean awaits(WatchedNode node) {
    return state == State.WAIT_PROMOTION && next != null && next.node == node;
  }

  /** Notes that the chosen server is the master. */
  void promoted() {
    Instance chosen = Objects.requireNonNull(next);
    monitored.announce("-role-change", chosen.inEvents() + " new reported role is master");
    announce("+promoted-slave", chosen);
    announce("+failover-state-reconf-slaves", monitored.master());
    boolean unused = enter(State.RECONF_SLAVES);
  }

  private boolean reconfigure() {
    int busy = 0;
    for (Instance each : monitored.replicas()) {
      proceed(each);
      if (isBusy(each)) busy++;
    }
    int missing = 0;
    for (Instance each : monitored.replicas()) {
      if (each.part == Instance.Part.NONE
          && each.isReachable()
          && busy < monitored.parallelSyncs()) {
        send(each);
        busy++;
      }
      boolean isDone =
          each.part == Instance.Part.PROMOTED || each.part == Instance.Part.RECONF_DONE;
      if (!isDone && !each.isDown()) missing++;
    }
    if (missing > 0 && !isOverdue()) return false;
    if (missing > 0) announce("+failover-end-for-timeout", monitored.master());
    announce("+failover-end", monitored.master());
    return enter(State.UPDATE_CONFIG);
  }

  private static boolean isBusy(Instance replica) {
    return replica.part == Instance.Part.RECONF_SENT || replica.part == Instance.Part.RECONF_INPROG;
  }

  private void send(Instance replica) {
    monitored.group().follow(replica.node, Objects.requireNonNull(next).node);
    replica.part(Instance.Part.RECONF_SENT);
    announce("+slave-reconf-sent", replica);
  }

  /** Notes how far a replica has got with its new master. */
  private void proceed(Instance replica) {
    // The first progress after the change may have been measured before it.
    if (replica.part == Instance.Part.RECONF_SENT && replica.hasProgressed(2)) {
      replica.part = Instance.Part.RECONF_INPROG;
      announce("+slave-reconf-inprog", replica);
    }
    if (replica.part == Instance.Part.RECONF_INPROG && replica.progress().isInSync()) {
      replica.part = Instance.Part.RECONF_DONE;
      announce("+slave-reconf-done", replica);
    }
  }

  private boolean end() {
    WatchedNode node = (WatchedNode) Objects.requireNonNull(Objects.requireNonNull(next).node);
    monitored.switchTo(node, epoch);
    return false;
  }
}
