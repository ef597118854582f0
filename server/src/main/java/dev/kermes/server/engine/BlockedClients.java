package dev.kermes.server.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Clients blocked on keys: in the order they came per key, and by deadline. Guarded by the keyspace
 * lock.
 */
public final class BlockedClients {

  /** A key that got a value, or lost it, while somebody waited for it. */
  public record ReadyKey(Database database, ByteKey key) {}

  /** A time at which a client's command is to be run again, whatever happens to its keys. */
  private record Alarm(long nanos, BlockedClient blocked) {}

  private final PriorityQueue<BlockedClient> deadlines =
      new PriorityQueue<>((a, b) -> Long.compare(a.deadlineNanos(), b.deadlineNanos()));
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>((a, b) -> Long.compare(a.nanos(), b.nanos()));
  private final Deque<ReadyKey> ready = new ArrayDeque<>();
  private final Set<BlockedClient> withoutKeys = new LinkedHashSet<>();
  private boolean isAcknowledged;
  private int count;

  public void add(BlockedClient blocked) {
    for (ByteKey key : blocked.keys()) {
      blocked
          .database()
          .blockedClients()
          .computeIfAbsent(key, unused -> new LinkedHashSet<>())
          .add(blocked);
    }
    if (blocked.keys().isEmpty()) withoutKeys.add(blocked);
    if (blocked.deadlineNanos() != Long.MAX_VALUE) deadlines.add(blocked);
    blocked.session().blocked(blocked);
    count++;
  }

  /** Ends a wait; the session may go on. */
  public void remove(BlockedClient blocked) {
    for (ByteKey key : blocked.keys()) {
      Set<BlockedClient> queue = blocked.database().blockedClients().get(key);
      if (queue != null && queue.remove(blocked) && queue.isEmpty()) {
        blocked.database().blockedClients().remove(key);
      }
    }
    deadlines.remove(blocked);
    withoutKeys.remove(blocked);
    if (!alarms.isEmpty()) alarms.removeIf(alarm -> alarm.blocked() == blocked);
    blocked.session().blocked(null);
    count--;
  }

  /** Has a blocked client's command run again at that time of the monotonic clock. */
  public void wakeAt(BlockedClient blocked, long nanos) {
    alarms.removeIf(alarm -> alarm.blocked() == blocked);
    alarms.add(new Alarm(nanos, blocked));
  }

  /** Somebody whose command is to be run again now, or null. */
  public @Nullable BlockedClient pollAlarm(long nowNanos) {
    Alarm first = alarms.peek();
    if (first == null || first.nanos() - nowNanos > 0) return null;
    alarms.remove();
    return first.blocked();
  }

  public int count() {
    return count;
  }

  /** Those whose wait ends by itself. */
  public int timedCount() {
    return deadlines.size();
  }

  void markReady(Database database, byte[] key) {
    if (database.blockedClients().isEmpty()) return;
    ByteKey ready = new ByteKey(key);
    if (database.blockedClients().containsKey(ready)) this.ready.add(new ReadyKey(database, ready));
  }

  void markAllReady(Database database) {
    for (ByteKey key : database.blockedClients().keySet()) ready.add(new ReadyKey(database, key));
  }

  public boolean hasReady() {
    return !ready.isEmpty() || isAcknowledged;
  }

  /** A replica has said how far it is, or the server goes on that was to end. */
  void acknowledged() {
    isAcknowledged = !withoutKeys.isEmpty();
  }

  /** Clients that wait for no key, if there may be news for them since the last call. */
  public List<BlockedClient> pollAcknowledged() {
    if (!isAcknowledged) return List.of();
    isAcknowledged = false;
    return new ArrayList<>(withoutKeys);
  }

  public @Nullable ReadyKey pollReady() {
    return ready.poll();
  }

  /** Who waits for a key, first come first. */
  public Collection<BlockedClient> clientsOf(ReadyKey key) {
    Set<BlockedClient> queue = key.database().blockedClients().get(key.key());
    return queue == null ? List.of() : new ArrayList<>(queue);
  }

  /** The next deadline; {@link Long#MAX_VALUE} if none. */
  public long nextDeadlineNanos() {
    BlockedClient first = deadlines.peek();
    return first == null ? Long.MAX_VALUE : first.deadlineNanos();
  }

  /** Somebody whose deadline has passed, or null. */
  public @Nullable BlockedClient pollDue(long nowNanos) {
    BlockedClient first = deadlines.peek();
    return first == null || first.deadlineNanos() - nowNanos > 0 ? null : first;
  }

  /** Keys that somebody waits for, in all databases. */
  public static int keyCount(List<Database> databases) {
    int keys = 0;
    for (Database database : databases) keys += database.blockedClients().size();
    return keys;
  }

  /** Keys for which somebody waits who wants to know, too, when they go. */
  public static int keyCountWithoutValue(List<Database> databases) {
    int keys = 0;
    for (Database database : databases) {
      for (Set<BlockedClient> queue : database.blockedClients().values()) {
        if (queue.stream().anyMatch(BlockedClient::wakesWithoutValue)) keys++;
      }
    }
    return keys;
  }
}
