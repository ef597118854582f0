package dev.kermes.server.replication;

import dev.kermes.server.client.BlockedClients;
import dev.kermes.server.client.Session;
import dev.kermes.server.config.OutputLimits;
import dev.kermes.server.config.ReplicationOptions;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.persistence.FullSyncContent;
import dev.kermes.server.persistence.RdbSnapshotWriter;
import dev.kermes.server.persistence.SnapshotIterator;
import dev.kermes.server.persistence.Snapshots;
import dev.kermes.server.writelog.LogSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of this server and the stream of writes that they read. The backlog keeps the last
 * part of the stream for replicas that lost their connection. A replica's own replicas read the
 * stream of its master, byte for byte. Guarded by the keyspace lock.
 */
public final class Replicas implements LogSink {

  private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

  private static final byte[] PING = ascii("*1\r\n$4\r\nPING\r\n");
  private static final byte[] GETACK = ascii("*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n");

  private final Replication replication;
  private final Keyspace keyspace;
  private final Snapshots snapshots;
  private final BlockedClients blockedClients;
  private final ReplicationOptions options;
  private final Set<Replica> replicas = new LinkedHashSet<>();
  private @Nullable ByteChain stream;
  private @Nullable FullSyncWriter fullSync;
  private long lastPingMillis;
  private long lastLineMillis;
  private long lonelySinceMillis;
  private long writesEnd;
  private long askedAt = -1;
  private long fullSyncs;
  private long partialSyncs;
  private long refusedPartialSyncs;

  Replicas(Replication replication, Snapshots snapshots, BlockedClients blockedClients) {
    this.replication = replication;
    this.snapshots = snapshots;
    this.blockedClients = blockedClients;
    keyspace = snapshots.keyspace();
    options = keyspace.settings().replicationOptions();
  }

  // Facts

  /** The connected replicas that have asked for the data. */
  public Collection<Replica> all() {
    return replicas;
  }

  /** The part of the stream that the backlog holds; null if there is no stream. */
  public @Nullable ByteChain stream() {
    return stream;
  }

  /** Bytes kept of the stream: the backlog, and the part that the slowest replica has not read. */
  public long bufferBytes() {
    ByteChain chain = stream;
    return chain == null ? 0 : chain.end() - chain.start();
  }

  /** Whether a full sync is being written. */
  public boolean isFullSyncRunning() {
    return fullSync != null;
  }

  /** Full syncs that were begun. */
  public long fullSyncs() {
    return fullSyncs;
  }

  /** Replicas that continued after a lost connection. */
  public long partialSyncs() {
    return partialSyncs;
  }

  public void resetCounts() {
    fullSyncs = 0;
    partialSyncs = 0;
    refusedPartialSyncs = 0;
  }

  /** Replicas whose request to continue was refused. */
  public long refusedPartialSyncs() {
    return refusedPartialSyncs;
  }

  /** Replicas that reported their offset less than min-replicas-max-lag ago. */
  public int goodCount() {
    long oldest = keyspace.nowMillis() - options.lagSecondsMax.intValue() * 1000L;
    int count = 0;
    for (Replica replica : replicas) {
      if (replica.state() == Replica.State.ONLINE && replica.heardMillis() >= oldest) count++;
    }
    return count;
  }

  /** Replicas that have executed the stream up to an offset. */
  public int countAt(long offset) {
    int count = 0;
    for (Replica replica : replicas) {
      if (replica.state() == Replica.State.ONLINE && replica.acknowledged() >= offset) count++;
    }
    return count;
  }

  /** Replicas that have the stream up to an offset on disk. */
  public int countOnDisk(long offset) {
    int count = 0;
    for (Replica replica : replicas) {
      if (replica.state() == Replica.State.ONLINE && replica.onDisk() >= offset) count++;
    }
    return count;
  }

  // The stream

  @Override
  public int audience() {
    return REPLICAS;
  }

  /** Receives the effects of this server's clients; a master's stream is fed as it comes. */
  @Override
  public void append(byte[] bytes, int offset, int length) {
    if (replication.isReplica()) return;
    feed(bytes, offset, length);
    writesEnd = replication.offset();
  }

  /** The offset after the last write; only messages that keep the connection alive may follow. */
  public long writesEnd() {
    return writesEnd;
  }

  /** Adds bytes to the stream, if there is one. */
  void feed(byte[] bytes, int offset, int length) {
    ByteChain chain = stream;
    if (chain == null) return;
    chain.append(bytes, offset, length);
    replication.advance(length);
    for (Replica replica : replicas) wake(replica, chain);
    forgetRead(chain);
  }

  /**
   * Drops the stream, except for the backlog and the part that the slowest replica has not read.
   */
  private void forgetRead(ByteChain chain) {
    long end = chain.end();
    long kept = end - options.backlogBytes.value();
    for (Replica replica : replicas) kept = Math.min(kept, end - replica.pendingBytes(end));
    chain.forget(kept);
  }

  private void wake(Replica replica, ByteChain chain) {
    closeIfSlow(replica, chain.end(), keyspace.nowMillis());
    replica.session().connection().wake();
  }

  /** The limit of a replica's unread stream, which is never less than the backlog. */
  private OutputLimits.Limit limit() {
    OutputLimits.Limit limit =
        keyspace
            .settings()
            .clientOptions()
            .outputLimits
            .value()
            .of(OutputLimits.ClientClass.REPLICA);
    long least = options.backlogBytes.value();
    return new OutputLimits.Limit(
        limit.hard() == 0 ? 0 : Math.max(limit.hard(), least),
        limit.soft() == 0 ? 0 : Math.max(limit.soft(), least),
        limit.softSeconds());
  }

  private void closeIfSlow(Replica replica, long streamEnd, long now) {
    if (!replica.unread().note(limit(), replica.pendingBytes(streamEnd), now)) return;
    LOG.warn(
        "Replica {} scheduled to be closed ASAP for overcoming of output buffer limits.", replica);
    keyspace.statistics().outputLimitCloses.incrementAndGet();
    replica.session().closedBecause("beyond client-output-buffer-limit");
    replica.session().close();
  }

  /** Begins the stream at the offset of the data. */
  void beginStream() {
    stream = new ByteChain(replication.offset());
    keyspace.log().remove(this);
    if (!replication.isReplica()) keyspace.log().add(this);
    lonelySinceMillis = keyspace.nowMillis();
    writesEnd = replication.offset();
  }

  /** Restarts the stream for replicas that get a full sync from now on. */
  void breakStream() {
    if (stream != null) stream = new ByteChain(replication.offset());
    closeAll();
  }

  /** Follows a change of role: on a master, its clients' writes feed the stream. */
  void masterChanged() {
    keyspace.log().remove(this);
    writesEnd = replication.offset();
    if (stream != null && !replication.isReplica()) keyspace.log().add(this);
  }

  void endStream() {
    stream = null;
    keyspace.log().remove(this);
  }

  // Replicas come and go

  /** The replica behind a session, created on the session's first message as a replica. */
  public static Replica of(Session session) {
    Replica replica = Replica.find(session);
    if (replica == null) {
      replica = new Replica(session);
      session.replica(replica);
    }
    return replica;
  }

  /**
   * Continues the stream of a replica after its offset with an id, if the backlog has the rest;
   * returns the reply to PSYNC, or null if the replica needs a full sync.
   */
  public @Nullable String resume(Replica replica, String replicationId, long offset) {
    ByteChain chain = stream;
    boolean isKnown =
        replicationId.equals(replication.id())
            || replicationId.equals(replication.secondaryId())
                && offset < replication.secondaryOffset();
    if (chain == null || !isKnown || offset < chain.start() || offset > chain.end()) {
      if (!replicationId.equals("?")) refusedPartialSyncs++;
      LOG.info("Full resync requested by replica {}", replica);
      return null;
    }
    LOG.info("Partial resynchronization request from {} accepted: offset={}", replica, offset + 1);
    partialSyncs++;
    add(replica);
    replica.goesOnline(chain.at(offset), keyspace.nowMillis());
    return replica.knowsPsync2() ? "CONTINUE " + replication.id() : "CONTINUE";
  }

  /** Makes a replica wait for a full sync. */
  public void requestFullSync(Replica replica) {
    add(replica);
    replica.waits(keyspace.nowMillis());
    if (options.syncDelaySeconds.intValue() == 0 || !replica.knowsMarks()) beginFullSync();
  }

  private void add(Replica replica) {
    if (stream == null) beginStream();
    if (replicas.isEmpty()) lastPingMillis = keyspace.nowMillis();
    replicas.add(replica);
  }

  void closed(Session session) {
    Replica replica = Replica.find(session);
    if (replica == null || !replicas.remove(replica)) return;
    LOG.warn("Connection with replica {} lost: {}", replica, session.endReason());
    session.close(); // so that a running full sync no longer waits for it
    if (stream != null) forgetRead(stream);
    if (replicas.isEmpty()) lonelySinceMillis = keyspace.nowMillis();
  }

  /** Closes all replicas; they reconnect and learn what has changed. */
  void closeAll() {
    for (Replica replica : replicas) replica.session().close();
  }

  /** Handles a replica's report of its offset. */
  public void heard(Replica replica, long offset) {
    replica.heard(offset, keyspace.nowMillis());
    if (replica.state() == Replica.State.LOADS) goesOnline(replica);
    blockedClients.acknowledged();
  }

  /** Asks all replicas for their offsets. */
  public void askAll() {
    if (replication.isReplica() || replication.offset() == askedAt) return;
    feed(GETACK, 0, GETACK.length);
    askedAt = replication.offset();
  }

  // Full syncs

  private void beginFullSync() {
    List<Replica> waiting = new ArrayList<>();
    for (Replica each : replicas) if (each.state() == Replica.State.WAITS) waiting.add(each);
    ByteChain chain = stream;
    if (fullSync != null || waiting.isEmpty() || chain == null) return;
    FullSyncContent content = waiting.getFirst().content();
    waiting.removeIf(each -> each.content() != content); // the others get the next one
    RdbSnapshotWriter format =
        new RdbSnapshotWriter(keyspace, false, replication.position(), content);
    SnapshotIterator walk = new SnapshotIterator(snapshots, format);
    FullSyncWriter writer = new FullSyncWriter(this, walk, waiting, keyspace.randomId());
    fullSync = writer;
    fullSyncs += waiting.size();
    keyspace.log().reselect(this);
    for (Replica replica : waiting) {
      String line = "+FULLRESYNC " + replication.id() + " " + replication.offset() + "\r\n";
      if (!replica.isOld()) replica.session().output().send(ascii(line));
      replica.receives(writer, chain.at(chain.end()));
      if (!replica.knowsMarks()) continue;
      replica.session().output().send(ascii("$EOF:" + writer.mark() + "\r\n"));
      replica.reads(writer.cursor());
    }
    Thread thread = new Thread(writer, "kermes-sync");
    thread.setDaemon(true);
    thread.start();
  }

  Keyspace keyspace() {
    return keyspace;
  }

  void fullSyncEnded() {
    fullSync = null;
  }

  /** Notes that a full sync has been written to a replica completely. */
  public void fullSyncSent(Replica replica) {
    if (replica.state() != Replica.State.RECEIVES) return;
    replica.session().output().send(ascii(replica.mark()));
    replica.loads();
    if (!replica.knowsMarks()) goesOnline(replica);
  }

  private void goesOnline(Replica replica) {
    LOG.info("Synchronization with replica {} succeeded", replica);
    replica.goesOnline(null, keyspace.nowMillis());
  }

  /** Gives up the running full sync, if there is one. */
  public void giveUpFullSync() {
    if (fullSync != null) fullSync.giveUp();
  }

  // The periodic work

  void cron() {
    long now = keyspace.nowMillis();
    for (Replica replica : replicas) check(replica, now);
    if (stream != null) forgetRead(stream); // the backlog's size may have changed
    if (now - lastLineMillis >= 1000) {
      lastLineMillis = now;
      for (Replica each : replicas) {
        if (each.state() == Replica.State.WAITS) each.session().output().send(new byte[] {'\n'});
      }
    }
    boolean isMaster = !replication.isReplica();
    boolean isLeaving = replication.failover().isOn() || replication.host().isShuttingDown();
    boolean mayWrite = isMaster && !isLeaving;
    if (mayWrite && !replicas.isEmpty() && now - lastPingMillis >= pingMillis()) {
      lastPingMillis = now;
      feed(PING, 0, PING.length);
    }
    if (isFullSyncDue(now)) beginFullSync();
    boolean isLonely = replicas.isEmpty() && stream != null && isMaster;
    long ttlMillis = options.backlogTtlSeconds.intValue() * 1000L;
    if (isLonely && ttlMillis > 0 && now - lonelySinceMillis > ttlMillis) {
      endStream();
      replication.renewId();
    }
  }

  private long pingMillis() {
    return options.pingPeriodSeconds.intValue() * 1000L;
  }

  private void check(Replica replica, long now) {
    long timeoutMillis = options.timeoutSeconds.intValue() * 1000L;
    boolean isStuck =
        replica.state() == Replica.State.RECEIVES && replica.detectStall(now, timeoutMillis);
    boolean isSilent = now - replica.heardMillis() > timeoutMillis;
    boolean isGone = isSilent && replica.state() == Replica.State.ONLINE && !replica.isOld();
    if (isStuck || isGone) {
      String stage = isStuck ? "full" : "streaming";
      LOG.warn("Disconnecting timedout replica ({} sync): {}", stage, replica);
      replica.session().closedBecause("it was silent for repl-timeout");
      replica.session().close();
    } else if (stream != null) {
      closeIfSlow(replica, stream.end(), now);
    }
  }

  private boolean isFullSyncDue(long now) {
    int count = 0;
    long oldest = now;
    for (Replica each : replicas) {
      if (each.state() != Replica.State.WAITS) continue;
      count++;
      oldest = Math.min(oldest, each.waitsSinceMillis());
    }
    if (count == 0) return false;
    boolean isFull =
        options.syncReplicasMax.intValue() > 0 && count >= options.syncReplicasMax.intValue();
    return isFull || now - oldest >= options.syncDelaySeconds.intValue() * 1000L;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
