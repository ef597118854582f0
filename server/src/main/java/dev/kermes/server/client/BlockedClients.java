package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import dev.kermes.server.keyspace.Database;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Clients blocked on keys: in order of arrival per key, and by deadline. Guarded by the keyspace
 * lock.
 */
public final class BlockedClients {

  /** A key that changed while clients waited for it. */
  public record ReadyKey(Database database, ByteKey key) {}

  /** A time at which a client's command runs again, whatever happens to its keys. */
  private record Alarm(long nanos, BlockedClient blocked) {}

  private final Map<Database, Map<ByteKey, Set<BlockedClient>>> queues = new HashMap<>();
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
      queues
          .computeIfAbsent(blocked.database(), unused -> new HashMap<>())
          .computeIfAbsent(key, unused -> new LinkedHashSet<>())
          .add(blocked);
    }
    if (!blocked.keys().isEmpty()) blocked.database().awaited(true);
    if (blocked.keys().isEmpty()) withoutKeys.add(blocked);
    if (blocked.deadlineNanos() != Long.MAX_VALUE) deadlines.add(blocked);
    blocked.session().blocked(blocked);
    count++;
  }

  /** Ends a wait; the session may continue. */
  public void remove(BlockedClient blocked) {
    Map<ByteKey, Set<BlockedClient>> byKey = queuesOf(blocked.database());
    for (ByteKey key : blocked.keys()) {
      Set<BlockedClient> queue = byKey.get(key);
      if (queue != null && queue.remove(blocked) && queue.isEmpty()) byKey.remove(key);
    }
    if (byKey.isEmpty()) blocked.database().awaited(false);
    deadlines.remove(blocked);
    withoutKeys.remove(blocked);
    if (!alarms.isEmpty()) alarms.removeIf(alarm -> alarm.blocked() == blocked);
    blocked.session().blocked(null);
    count--;
  }

  private Map<ByteKey, Set<BlockedClient>> queuesOf(Database database) {
    return queues.getOrDefault(database, Map.of());
  }

  /** Sets a time of the monotonic clock at which a blocked client's command runs again. */
  public void wakeAt(BlockedClient blocked, long nanos) {
    alarms.removeIf(alarm -> alarm.blocked() == blocked);
    alarms.add(new Alarm(nanos, blocked));
  }

  /** A client whose command must run again now, or null. */
  public @Nullable BlockedClient pollAlarm(long nowNanos) {
    Alarm first = alarms.peek();
    if (first == null || first.nanos() - nowNanos > 0) return null;
    alarms.remove();
    return first.blocked();
  }

  public int count() {
    return count;
  }

  /** The number of blocked clients whose wait has a deadline. */
  public int timedCount() {
    return deadlines.size();
  }

  void markReady(Database database, byte[] key) {
    if (!database.hasWaiting()) return;
    ByteKey ready = new ByteKey(key);
    if (queuesOf(database).containsKey(ready)) this.ready.add(new ReadyKey(database, ready));
  }

  void markAllReady(Database database) {
    for (ByteKey key : queuesOf(database).keySet()) ready.add(new ReadyKey(database, key));
  }

  public boolean hasReady() {
    return !ready.isEmpty() || isAcknowledged;
  }

  /** Notes an acknowledgement of a replica, or that the shutdown was cancelled. */
  public void acknowledged() {
    isAcknowledged = !withoutKeys.isEmpty();
  }

  /** Clients that wait without keys, if they may have to be checked since the last call. */
  public List<BlockedClient> pollAcknowledged() {
    if (!isAcknowledged) return List.of();
    isAcknowledged = false;
    return new ArrayList<>(withoutKeys);
  }

  public @Nullable ReadyKey pollReady() {
    return ready.poll();
  }

  /** The clients that wait for a key, in order of arrival. */
  public Collection<BlockedClient> clientsOf(ReadyKey key) {
    Set<BlockedClient> queue = queuesOf(key.database()).get(key.key());
    return queue == null ? List.of() : new ArrayList<>(queue);
  }

  /** The next deadline; {@link Long#MAX_VALUE} if none. */
  public long nextDeadlineNanos() {
    BlockedClient first = deadlines.peek();
    return first == null ? Long.MAX_VALUE : first.deadlineNanos();
  }

  /** A client whose deadline has passed, or null. */
  public @Nullable BlockedClient pollDue(long nowNanos) {
    BlockedClient first = deadlines.peek();
    return first == null || first.deadlineNanos() - nowNanos > 0 ? null : first;
  }

  /** The number of keys that clients wait for, in all databases. */
  public int keyCount() {
    int keys = 0;
    for (Map<ByteKey, Set<BlockedClient>> byKey : queues.values()) keys += byKey.size();
    return keys;
  }

  /** The number of keys with a client that also wakes when the key is deleted or changes type. */
  public int keyCountWithoutValue() {
    int keys = 0;
    for (Map<ByteKey, Set<BlockedClient>> byKey : queues.values()) {
      for (Set<BlockedClient> queue : byKey.values()) {
        if (queue.stream().anyMatch(BlockedClient::wakesWithoutValue)) keys++;
      }
    }
    return keys;
  }
}
