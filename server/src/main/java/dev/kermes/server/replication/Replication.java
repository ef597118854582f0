package dev.kermes.server.replication;

import dev.kermes.server.acl.Users;
import dev.kermes.server.client.BlockedClients;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.Session;
import dev.kermes.server.config.ReplicationOptions;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Restriction;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.Persistence;
import dev.kermes.server.persistence.ReplicationPosition;
import dev.kermes.server.persistence.Snapshots;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's role in replication: master, or replica of another server. Its data are those of a
 * replication id ({@link #id()}) up to an offset in that id's stream of writes ({@link #offset()},
 * in bytes); a replica with the same id needs only the missing part. Guarded by the keyspace lock.
 */
public final class Replication {

  /** The address of a server. */
  public record Address(String host, int port) {

    /** The address in the option {@code replicaof}. */
    static Address parse(String text) {
      String[] words = text.split("\\s+");
      if (words.length != 2 || !words[1].matches("\\d{1,5}")) {
        throw new IllegalArgumentException(
            "bad option: name=replicaof, value=" + text + ", expected=host port");
      }
      return new Address(words[0], Integer.parseInt(words[1]));
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

  /** An id that no data have. */
  static final String NO_ID = "0".repeat(40);

  private final Keyspace keyspace;
  private final Persistence persistence;
  private final AppendOnly appendOnly;
  private final BlockedClients blockedClients;
  private final ReplicationHost host;
  private final ReplicationOptions options;
  private final Replicas replicas;
  private final Failover failover;
  private final MasterStream masterStream;
  private Runnable changed = () -> {};

  private String id;
  private String secondaryId = NO_ID;
  private long secondaryOffset = -1;
  private long offset;

  private @Nullable Address master;

  /** Whether a master may know the id of the data, so that a partial sync may be possible. */
  private boolean maySyncPartially;

  /** Creates a master, or the replica of the master that the settings name. */
  public Replication(
      Snapshots snapshots,
      Persistence persistence,
      AppendOnly appendOnly,
      Users users,
      BlockedClients blockedClients,
      Pause pause,
      ReplicationHost host) {
    keyspace = snapshots.keyspace();
    this.persistence = persistence;
    this.appendOnly = appendOnly;
    this.blockedClients = blockedClients;
    this.host = host;
    options = keyspace.settings().replicationOptions();
    masterStream = new MasterStream(this, keyspace, users, host, new ReplicaDisk(appendOnly));
    replicas = new Replicas(this, snapshots, blockedClients);
    failover = new Failover(keyspace, pause, this);
    id = keyspace.randomId();
    persistence.replication(this::position, this::restored);
    if (!options.master.value().isEmpty()) master(Address.parse(options.master.value()));
  }

  private void master(@Nullable Address address) {
    master = address;
    keyspace.isReplica(address != null);
    keyspace.restrictions().set(Restriction.REPLICA, address != null);
  }

  /** Sets the action to run when the master changes; it must not wait. */
  public void onChange(Runnable action) {
    changed = action;
  }

  public ReplicationOptions options() {
    return options;
  }

  public Replicas replicas() {
    return replicas;
  }

  /** The stream that a replica receives from its master. */
  public MasterStream masterStream() {
    return masterStream;
  }

  /** The failover, running or not. */
  public Failover failover() {
    return failover;
  }

  // Facts

  /** The replication id of the data, 40 hexadecimal digits. */
  public String id() {
    return id;
  }

  /** The id that the data had before, up to {@link #secondaryOffset()}. */
  public String secondaryId() {
    return secondaryId;
  }

  /** The first offset that no longer belongs to the secondary id; -1 if there is none. */
  public long secondaryOffset() {
    return secondaryOffset;
  }

  /** The number of bytes of the replication stream that the data contain. */
  public long offset() {
    return offset;
  }

  /** The master, null if this server is a master. */
  public @Nullable Address master() {
    return master;
  }

  public boolean isReplica() {
    return master != null;
  }

  // The master that is followed

  /** Makes the server a replica of another one; the old data stay until the new ones arrive. */
  public void follow(Address address) {
    if (address.equals(master)) return;
    masterStream.leave();
    if (master == null) maySyncPartially = true; // the new master may know this server's id
    master(address);
    options.master.assign(address.host() + " " + address.port());
    masterStream.wanted();
    replicas.masterChanged();
    changed.run();
  }

  /** Makes a replica a master, with a replication id of its own from here on. */
  public void promote() {
    if (master == null) return;
    failover.overtaken();
    masterStream.leave();
    for (Database database : keyspace.databases()) database.expiry().forgetOwn(); // now all its own
    master(null);
    options.master.assign("");
    secondaryId = id;
    secondaryOffset = offset + 1;
    id = keyspace.randomId();
    replicas.masterChanged();
    replicas.closeAll();
    changed.run();
  }

  /** Takes a new replication id, so that no replica can continue with the old one. */
  void renewId() {
    id = keyspace.randomId();
    secondaryId = NO_ID;
    secondaryOffset = -1;
  }

  /** Makes all replicas request a full sync, since their stream lacks something. */
  public void forceFullSyncs() {
    if (isReplica()) return; // its master feeds its replicas
    LOG.warn("out of memory: replicas, if there are any, need a full sync");
    renewId();
    replicas.breakStream();
  }

  ReplicationHost host() {
    return host;
  }

  void advance(long bytes) {
    offset += bytes;
  }

  /** The position of the data for RDB files; null if a master could not use it. */
  @Nullable ReplicationPosition position() {
    boolean hasStream = replicas.stream() != null;
    if (isReplica() ? !maySyncPartially : !hasStream) return null;
    return new ReplicationPosition(id, offset, streamDatabase());
  }

  /** The database that the next command of the stream applies to. */
  int streamDatabase() {
    return isReplica() ? masterStream.database() : keyspace.log().selected(replicas);
  }

  /** Does the periodic work; called about ten times a second. */
  public void cron() {
    replicas.cron();
    failover.cron();
    reportDisk();
  }

  /** Reports progress of the disk to the master and to waiting clients. */
  public void reportDisk() {
    blockedClients.acknowledged();
    masterStream.reportDisk();
  }

  // The data, and the id and offset that belong to them

  /** Whether a master may know the id of the data, so that a partial sync may be possible. */
  public boolean maySyncPartially() {
    return maySyncPartially;
  }

  /**
   * Takes over the position of data that are about to be loaded. A replica continues from there; a
   * master takes a new id, but accepts replicas that still have the old one.
   */
  private void restored(ReplicationPosition position) {
    offset = position.offset();
    masterStream.database(position.database());
    if (isReplica()) {
      id = position.id();
      maySyncPartially = true;
    } else {
      secondaryId = position.id();
      secondaryOffset = position.offset() + 1;
      replicas.beginStream();
    }
  }

  /** Prepares to load a full sync, of the master's data with that id and offset. */
  public FullSyncLoader loader(Address from, String replicationId, long replicationOffset) {
    return new FullSyncLoader(
        this, keyspace, persistence, appendOnly, from, replicationId, replicationOffset);
  }

  /** Notes that the data are about to be replaced. */
  void dataDiscarded() {
    if (maySyncPartially) LOG.info("Discarding previously cached master state.");
    masterStream.forgetDisk();
    maySyncPartially = false;
    replicas.closeAll(); // their data now differ from this server's
    replicas.endStream();
  }

  /** Notes that the data are those of a replication id at some offset. */
  void dataLoaded(ReplicationPosition position) {
    maySyncPartially = true;
    id = position.id();
    secondaryId = NO_ID;
    secondaryOffset = -1;
    offset = position.offset();
    masterStream.database(position.database());
    replicas.beginStream();
  }

  /** Notes that the master continues where the data end, perhaps with another replication id. */
  public void partialSyncAccepted(String replicationId) {
    if (replicationId.isEmpty() || replicationId.equals(id)) return;
    secondaryId = id;
    secondaryOffset = offset + 1;
    id = replicationId;
    replicas.closeAll(); // they learn the new id when they reconnect
  }

  /** Notes the end of a session, which may be that of a replica or of the master. */
  public void closed(Session session) {
    replicas.closed(session);
    if (masterStream.closed(session)) changed.run();
  }

  // Refusals

  /** Whether the data may be too old for clients, so that only some commands run. */
  public boolean isStale() {
    return isReplica() && !masterStream.isConnected() && !options.servesStaleData.isOn();
  }

  /** The reason why clients may not write to this server; null if they may. */
  public @Nullable String whyNoWrites() {
    if (isReplica()) {
      return options.isReadOnly.isOn()
          ? "READONLY You can't write against a read only replica."
          : null;
    }
    boolean isEnough =
        options.replicasMin.intValue() == 0
            || replicas.goodCount() >= options.replicasMin.intValue();
    return isEnough ? null : "NOREPLICAS Not enough good replicas to write.";
  }
}
