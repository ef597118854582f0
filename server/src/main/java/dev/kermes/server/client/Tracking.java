package dev.kermes.server.client;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Restriction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Client-side caching: tracks which client has read which key, and tells it when the key changes.
 *
 * <pre>
 *   keys      key    -> sessions that read it since they last heard of it
 *   prefixes  prefix -> sessions in broadcasting mode, with the keys changed in this turn
 * </pre>
 *
 * Costs nothing while no client tracks. Guarded by the keyspace lock.
 */
public final class Tracking {

  /** The channel for invalidation messages to clients of RESP2. */
  private static final byte[] CHANNEL = "__redis__:invalidate".getBytes(StandardCharsets.US_ASCII);

  /** Keys dropped at once when there are too many. */
  private static final int FORGET_MAX = 100;

  private record Change(byte[] key, @Nullable Session by) {}

  private record Prefix(Set<Session> sessions, List<Change> changes) {}

  private final Keyspace keyspace;
  private final Clients clients;
  private final Map<ByteKey, Set<Session>> keys = new LinkedHashMap<>();
  private final Map<ByteKey, Prefix> prefixes = new HashMap<>();
  private final Set<Session> trackers = new LinkedHashSet<>();
  private long items;
  private boolean hasChanges;

  /** Creates it without tracking clients. */
  public Tracking(Keyspace keyspace, Clients clients) {
    this.keyspace = keyspace;
    this.clients = clients;
  }

  /** Whether any client tracks keys. */
  public boolean isActive() {
    return !trackers.isEmpty();
  }

  public int clientCount() {
    return trackers.size();
  }

  public int keyCount() {
    return keys.size();
  }

  /** The number of pairs of a key and a client that has read it. */
  public long itemCount() {
    return items;
  }

  public int prefixCount() {
    return prefixes.size();
  }

  /** Begins or changes a client's tracking. */
  public void start(Session session, TrackingMode mode) {
    session.tracking(mode);
    trackers.add(session);
    for (ByteKey prefix : mode.prefixes()) {
      prefixes
          .computeIfAbsent(prefix, unused -> new Prefix(new LinkedHashSet<>(), new ArrayList<>()))
          .sessions()
          .add(session);
    }
    keyspace.restrictions().set(Restriction.TRACKING, isActive());
  }

  public void stop(Session session) {
    TrackingMode mode = session.tracking();
    if (mode == null) return;
    session.tracking(null);
    trackers.remove(session);
    for (ByteKey name : mode.prefixes()) {
      Prefix prefix = prefixes.get(name);
      if (prefix == null) continue;
      prefix.sessions().remove(session);
      if (prefix.sessions().isEmpty()) prefixes.remove(name);
    }
    keyspace.restrictions().set(Restriction.TRACKING, isActive());
  }

  /** Notes that a client has read a key. */
  public void read(Session session, byte[] key) {
    if (keys.computeIfAbsent(new ByteKey(key), unused -> new LinkedHashSet<>()).add(session)) {
      items++;
    }
  }

  /** Tells all clients that track a key that the key has changed. */
  void changed(byte[] key, @Nullable Session by) {
    for (Map.Entry<ByteKey, Prefix> entry : prefixes.entrySet()) {
      if (!startsWith(key, entry.getKey().bytes())) continue;
      entry.getValue().changes().add(new Change(key, by));
      hasChanges = true;
    }
    Set<Session> readers = keys.remove(new ByteKey(key));
    if (readers == null) return;
    items -= readers.size();
    for (Session reader : readers) {
      TrackingMode mode = reader.tracking();
      boolean cares = mode != null && !mode.isBroadcast() && !(mode.isNoLoop() && reader == by);
      if (cares) tell(reader, List.of(key));
    }
  }

  /** Tells all tracking clients that all keys are gone. */
  public void allChanged() {
    for (Session session : List.copyOf(trackers)) tell(session, null);
    keys.clear();
    items = 0;
  }

  static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Ends a turn: broadcasts the keys changed in it, and drops keys beyond the limit. */
  public void endTurn() {
    if (hasChanges) broadcast();
    int max = keyspace.settings().clientOptions().trackedKeysMax.intValue();
    if (max > 0 && keys.size() > max) forget(max);
  }

  private void broadcast() {
    hasChanges = false;
    for (Prefix prefix : prefixes.values()) {
      if (prefix.changes().isEmpty()) continue;
      List<Change> changes = List.copyOf(prefix.changes());
      prefix.changes().clear();
      for (Session session : List.copyOf(prefix.sessions())) {
        TrackingMode mode = session.tracking();
        boolean isNoLoop = mode != null && mode.isNoLoop();
        Set<ByteKey> changed = new LinkedHashSet<>();
        for (Change change : changes) {
          if (!isNoLoop || change.by() != session) changed.add(new ByteKey(change.key()));
        }
        if (!changed.isEmpty()) tell(session, changed.stream().map(ByteKey::bytes).toList());
      }
    }
  }

  /** Drops the oldest keys beyond the table's limit, and tells the clients that track them. */
  private void forget(int max) {
    List<byte[]> oldest = new ArrayList<>();
    Iterator<ByteKey> all = keys.keySet().iterator();
    while (oldest.size() < Math.min(FORGET_MAX, keys.size() - max)) oldest.add(all.next().bytes());
    for (byte[] key : oldest) changed(key, null);
  }

  /** Sends the changed keys, null for all, to a client or to the one it redirects to. */
  private void tell(Session session, @Nullable List<byte[]> changed) {
    TrackingMode mode = session.tracking();
    if (mode == null) return;
    Session target = session;
    if (mode.redirect() != 0) {
      target = clients.session(mode.redirect());
      if (target == null || target.isClosing()) {
        tellBroken(session, mode);
        return;
      }
    }
    boolean isPush = target.protocol() > 2;
    if (!isPush && (mode.redirect() == 0 || target.subscriptions().isEmpty())) return;
    RespWriter out = new RespWriter(64);
    out.protocol(target.protocol());
    if (isPush) {
      out.push(2);
      out.bulk("invalidate");
    } else {
      out.array(3);
      out.bulk("message");
      out.bulk(CHANNEL);
    }
    if (changed == null) {
      out.nilArray();
    } else {
      out.array(changed.size());
      for (byte[] key : changed) out.bulk(key);
    }
    target.output().send(out.toByteArray());
  }

  private static void tellBroken(Session session, TrackingMode mode) {
    mode.redirectIsBroken(true);
    if (session.protocol() < 3) return;
    RespWriter out = new RespWriter(64);
    out.protocol(3);
    out.push(2);
    out.bulk("tracking-redir-broken");
    out.integer(mode.redirect());
    session.output().send(out.toByteArray());
  }
}
