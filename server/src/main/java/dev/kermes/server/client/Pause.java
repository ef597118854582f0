package dev.kermes.server.client;

import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Restriction;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds clients back, for CLIENT PAUSE or another reason, and lets them continue afterwards in the
 * order in which they came.
 *
 * <p>Each client continues in a turn of its own event loop. Until the last one has had its turn,
 * every other client queues up behind them, so that no client overtakes another. Guarded by the
 * keyspace lock.
 */
public final class Pause {

  /** The reasons of pauses; the texts are those of INFO. */
  public enum Reason {
    CLIENT("client_pause"),
    SHUTDOWN("shutdown_in_progress"),
    FAILOVER("failover_in_progress"),
    MIGRATE("migrate_in_progress"),
    SLOTS("slot_migration_in_progress");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  private final Keyspace keyspace;
  private final Set<Session> heldBack = new LinkedHashSet<>();
  private final Set<Session> resuming = new LinkedHashSet<>();
  private @Nullable Session released; // the first of the resuming ones

  /** When each pause ends, Unix time. */
  private final Map<Reason, Long> ends = new EnumMap<>(Reason.class);

  /** The reasons whose pause holds back more than writes. */
  private final Set<Reason> holdingAll = EnumSet.noneOf(Reason.class);

  private long untilMillis;

  /** Creates it without a pause. */
  public Pause(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  /** Whether no client is held back, or is still queued to continue. */
  public boolean isOver() {
    return untilMillis == 0 && resuming.isEmpty();
  }

  public boolean isOn() {
    return keyspace.isPaused();
  }

  /** Whether a pause for another reason is active. */
  public boolean isOnBesides(Reason reason) {
    for (Map.Entry<Reason, Long> each : ends.entrySet()) {
      if (each.getKey() != reason && each.getValue() > keyspace.nowMillis()) return true;
    }
    return false;
  }

  /** The first active reason; null when there is no pause. */
  public @Nullable Reason reason() {
    return isOn() ? ends.keySet().iterator().next() : null;
  }

  /** Whether a pause holds back more than writes. */
  public boolean holdsAll() {
    return !holdingAll.isEmpty();
  }

  /** The time until the end of all pauses; 0 when there is none. */
  public long millisLeft() {
    return Math.max(0, untilMillis - keyspace.nowMillis());
  }

  /** Holds back commands until the given time: writes only, or all. */
  public void begin(Reason reason, long endMillis, boolean all) {
    if (all) holdingAll.add(reason);
    else if (ends.getOrDefault(reason, 0L) <= keyspace.nowMillis()) holdingAll.remove(reason);
    ends.merge(reason, endMillis, Math::max);
    until(Math.max(endMillis, untilMillis));
    keyspace.restrictions().set(Restriction.PAUSE, !isOver());
  }

  /** Ends the pause for a reason; clients that wait for another reason queue up again. */
  public void end(Reason reason) {
    ends.remove(reason);
    holdingAll.remove(reason);
    until(ends.values().stream().mapToLong(each -> each).max().orElse(0));
    resuming.addAll(heldBack);
    heldBack.clear();
    if (released == null) releaseNext();
    keyspace.restrictions().set(Restriction.PAUSE, !isOver());
  }

  private void until(long unixMillis) {
    untilMillis = unixMillis;
    keyspace.pauseUntil(unixMillis);
  }

  /** Ends the pauses that have expired. */
  public void endIfDue() {
    for (Reason reason : Reason.values()) {
      Long end = ends.get(reason);
      if (end != null && end <= keyspace.nowMillis()) end(reason);
    }
  }

  /** Whether other clients that were held back go first. */
  public boolean isBehindOthers(Session session) {
    return released != null && session != released;
  }

  /** Stops a session before its next command, until its turn comes. */
  public void hold(Session session) {
    (isOn() ? heldBack : resuming).add(session);
    session.paused(true);
  }

  /** Notes that a session had its turn: if it was first in the queue, the next one continues. */
  public void endTurn(Session session) {
    if (session != released) return;
    resuming.remove(session);
    releaseNext();
    keyspace.restrictions().set(Restriction.PAUSE, !isOver());
  }

  /** Takes a session out of the queue. */
  public void forget(Session session) {
    heldBack.remove(session);
    if (session == released) endTurn(session);
    else resuming.remove(session);
  }

  private void releaseNext() {
    released = resuming.isEmpty() ? null : resuming.iterator().next();
    if (released == null) return;
    released.paused(false);
    released.connection().wake();
  }
}
