package dev.kermes.server.replication;

import dev.kermes.server.client.Pause;
import dev.kermes.server.keyspace.Keyspace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the role of the master over to a replica without losing a write:
 *
 * <pre>
 *   NONE -> WAITS      writes are held back until a replica is up to date
 *        -> HANDS_OVER this server follows the replica, asking it to take over: PSYNC ... FAILOVER
 *        -> NONE       done: held back clients get READONLY, those that wait for keys UNBLOCKED, or
 *                      REDIRECT if they know it; or given up: all clients continue
 * </pre>
 *
 * Guarded by the keyspace lock.
 */
public final class Failover {

  private static final Logger LOG = LoggerFactory.getLogger(Failover.class);

  /** The progress of the failover; the texts are those of INFO. */
  public enum State {
    NONE("no-failover"),
    WAITS("waiting-for-sync"),
    HANDS_OVER("failover-in-progress");

    private final String text;

    State(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  private final Keyspace keyspace;
  private final Pause pause;
  private final Replication replication;
  private State state = State.NONE;

  /** The next master; null for the first replica that is up to date. */
  private Replication.@Nullable Address target;

  private boolean isForced;
  private long endMillis;
  private Runnable handedOver = () -> {};

  Failover(Keyspace keyspace, Pause pause, Replication replication) {
    this.keyspace = keyspace;
    this.pause = pause;
    this.replication = replication;
  }

  /** Sets the action to run when the new master has taken over, before it sends anything. */
  public void onSuccess(Runnable action) {
    handedOver = action;
  }

  public State state() {
    return state;
  }

  public boolean isOn() {
    return state != State.NONE;
  }

  /**
   * Begins a failover.
   *
   * @param to a replica; null for the first one that is ready
   * @param force whether to hand over at the timeout to a replica that is not up to date
   * @param timeoutMillis how long to wait for the replica; 0 for no limit
   */
  public void begin(Replication.@Nullable Address to, boolean force, long timeoutMillis) {
    target = to;
    isForced = force;
    endMillis = timeoutMillis == 0 ? Long.MAX_VALUE : keyspace.nowMillis() + timeoutMillis;
    state = State.WAITS;
    pause.begin(Pause.Reason.FAILOVER, Long.MAX_VALUE, false);
    LOG.info("failover requested: target={}", to == null ? "any" : to);
  }

  /** Gives up at the timeout. */
  void cron() {
    if (state == State.WAITS && isOverdue() && !isForced) abort("timed out");
  }

  private boolean isOverdue() {
    return keyspace.nowMillis() >= endMillis;
  }

  /** Whether a replica can take over now, because it is up to date or forced to. */
  public boolean isDue() {
    return state == State.WAITS && successor() != null;
  }

  private Replication.@Nullable Address successor() {
    for (Replica replica : replication.replicas().all()) {
      boolean isReady =
          replica.state() == Replica.State.ONLINE && replica.acknowledged() == replication.offset();
      if (isReady && (target == null || target.equals(replica.address()))) return replica.address();
    }
    return isForced && isOverdue() ? target : null;
  }

  /** Makes this server a replica of its successor, which is asked to become the master. */
  public void handOver() {
    Replication.Address next = successor();
    if (next == null) return;
    if (isOverdue()) LOG.warn("Failover to {} time out exceeded, failing over.", next);
    state = State.HANDS_OVER;
    LOG.info("failover: handing over: target={}", next);
    replication.follow(next);
  }

  /** Whether the successor is to be told to become the master. */
  public boolean isHandingOver() {
    return state == State.HANDS_OVER;
  }

  /** Completes the failover after the new master has accepted its role. */
  public void succeeded() {
    LOG.info("failover completed");
    end();
    handedOver.run();
  }

  /** Gives up; the server stays, or becomes again, a master. */
  public void abort(String reason) {
    LOG.warn("failover aborted: {}", reason);
    boolean isReplica = isHandingOver();
    state = State.NONE;
    if (isReplica) replication.promote();
    end();
  }

  /** Ends it, if it is on: the roles are other ones by now, though the successor did not say so. */
  public void overtaken() {
    if (!isOn()) return;
    LOG.warn("failover ended: another server is the master, or this one again");
    end();
  }

  private void end() {
    state = State.NONE;
    target = null;
    pause.end(Pause.Reason.FAILOVER);
  }
}
