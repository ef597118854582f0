package dev.kermes.server.replication;

import dev.kermes.server.client.Pause;
import dev.kermes.server.keyspace.Keyspace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the part of the master over to a replica, so that no write is lost:
 *
 * <pre>
 *   NONE -> WAITS      writes are held back until a replica has all that there is
 *        -> HANDS_OVER this server follows the replica, and asks it to be master: PSYNC ... FAILOVER
 *        -> NONE       it is; held back clients hear READONLY, those that wait for keys UNBLOCKED,
 *                      or both where it is if they know REDIRECT; or it was given up: all go on
 * </pre>
 *
 * Guarded by the keyspace lock.
 */
public final class Failover {

  private static final Logger LOG = LoggerFactory.getLogger(Failover.class);

  /** How far it is; the texts are those of INFO. */
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

  /** The next master; null for the first replica that has everything. */
  private Replication.@Nullable Address target;

  private boolean isForced;
  private long endMillis;
  private Runnable handedOver = () -> {};

  Failover(Keyspace keyspace, Pause pause, Replication replication) {
    this.keyspace = keyspace;
    this.pause = pause;
    this.replication = replication;
  }

  /** Sets what is done when there is a new master, before it sends anything. */
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
   * Begins to hand over.
   *
   * @param to a replica; null for whichever is ready first
   * @param force whether to hand over at the end of the time even if it has not everything
   * @param timeoutMillis how long to wait for it; 0 for ever
   */
  public void begin(Replication.@Nullable Address to, boolean force, long timeoutMillis) {
    target = to;
    isForced = force;
    endMillis = timeoutMillis == 0 ? Long.MAX_VALUE : keyspace.nowMillis() + timeoutMillis;
    state = State.WAITS;
    pause.begin(Pause.Reason.FAILOVER, Long.MAX_VALUE, false);
    LOG.info("failover requested: target={}", to == null ? "any" : to);
  }

  /** Gives up when the time is over. */
  void look() {
    if (state == State.WAITS && isOverdue() && !isForced) abort("timed out");
  }

  private boolean isOverdue() {
    return keyspace.nowMillis() >= endMillis;
  }

  /** Whether a replica can take over now, since it has everything or is made to. */
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

  /** Makes this server a replica of the one that takes over, which is asked to be master. */
  public void handOver() {
    Replication.Address next = successor();
    if (next == null) return;
    if (isOverdue()) LOG.warn("Failover to {} time out exceeded, failing over.", next);
    state = State.HANDS_OVER;
    LOG.info("failover: handing over: target={}", next);
    replication.follow(next);
  }

  /** Whether the next master is to be told that it is one. */
  public boolean isHandingOver() {
    return state == State.HANDS_OVER;
  }

  /** The new master has answered as one. */
  public void succeeded() {
    LOG.info("failover completed");
    end();
    handedOver.run();
  }

  /** Gives it up; the server is, or becomes again, a master. */
  public void abort(String reason) {
    LOG.warn("failover aborted: {}", reason);
    boolean isReplica = isHandingOver();
    state = State.NONE;
    if (isReplica) replication.promote();
    end();
  }

  private void end() {
    state = State.NONE;
    target = null;
    pause.end(Pause.Reason.FAILOVER);
  }
}
