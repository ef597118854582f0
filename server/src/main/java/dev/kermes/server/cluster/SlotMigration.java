package dev.kermes.server.cluster;

import dev.kermes.server.time.Clock;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A move of slots with their keys from one master to another in one step, as CLUSTER MIGRATESLOTS
 * asks for it:
 *
 * <pre>
 *   source   holds back writes, and hands out the keys
 *   target   takes the keys, and owns the slots from then on
 *   source   deletes the keys; the writes continue, and are redirected
 * </pre>
 *
 * Each line happens under the keyspace lock of that server, and no thread has both locks. Any
 * thread.
 */
public final class SlotMigration {

  /** The state; the last three are final. */
  public enum State {
    SNAPSHOTTING,
    SUCCESS,
    FAILED,
    CANCELLED;

    /** Its name in GETSLOTMIGRATIONS. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int MILLIS_PER_SECOND = 1000;

  private final String name;
  private final BitSet slots;
  private final ClusterNode source;
  private final ClusterNode target;
  private final Clock clock;
  private final long createdSeconds;
  private final AtomicReference<State> state = new AtomicReference<>(State.SNAPSHOTTING);
  private volatile long changedSeconds;
  private volatile String message = "";

  SlotMigration(String name, BitSet slots, ClusterNode source, ClusterNode target, Clock clock) {
    this.name = name;
    this.slots = slots;
    this.source = source;
    this.target = target;
    this.clock = clock;
    createdSeconds = clock.millis() / MILLIS_PER_SECOND;
    changedSeconds = createdSeconds;
  }

  /** Moves the slots; the caller holds no keyspace lock. */
  void run() {
    try {
      SlotServer from = source.slotServer();
      SlotServer to = target.slotServer();
      List<SlotServer.SlotKey> keys = from.handOut(slots);
      try {
        to.takeIn(keys, this::settle);
      } finally {
        from.continueWrites();
      }
    } catch (IllegalStateException e) {
      message = String.valueOf(e.getMessage());
      boolean unused = end(State.FAILED);
    }
  }

  /** Gives the slots to the target, unless the move has been cancelled. */
  private boolean settle() {
    if (!end(State.SUCCESS)) return false;
    String objection = source.topology().settle(this);
    if (objection == null) return true;
    message = objection;
    state.set(State.FAILED);
    return false;
  }

  /** Gives up, unless it has ended; returns whether it did. */
  public boolean cancel() {
    return end(State.CANCELLED);
  }

  private boolean end(State last) {
    if (!state.compareAndSet(State.SNAPSHOTTING, last)) return false;
    changedSeconds = clock.millis() / MILLIS_PER_SECOND;
    return true;
  }

  // For GETSLOTMIGRATIONS

  /** 40 hexadecimal digits. */
  public String name() {
    return name;
  }

  /** The slots; not to be changed. */
  public BitSet slots() {
    return slots;
  }

  /** The master that has the slots at the start. */
  public ClusterNode source() {
    return source;
  }

  /** The master that gets them. */
  public ClusterNode target() {
    return target;
  }

  /** Unix time in seconds. */
  public long createdSeconds() {
    return createdSeconds;
  }

  /** Unix time in seconds. */
  public long changedSeconds() {
    return changedSeconds;
  }

  /** Whether it is over. */
  public boolean hasEnded() {
    return state.get() != State.SNAPSHOTTING;
  }

  public State state() {
    return state.get();
  }

  /** The reason of a failure; empty without one. */
  public String message() {
    return message;
  }
}
