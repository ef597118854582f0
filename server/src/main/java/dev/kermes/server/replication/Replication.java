package dev.kermes.server.replication;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.Users;
import dev.kermes.server.client.BlockedClients;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.Session;
import dev.kermes.server.config.ReplicationOptions;
import dev.kermes.server.config.ShutdownMode;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Restriction;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.Persistence;
import dev.kermes.server.persistence.ReplicationPosition;
import dev.kermes.server.persistence.Snapshots;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's role in replication: master, or replica of another server. Its data belong to a
 * history ({@link #id()}) up to an offset in that history's stream of writes ({@link #offset()}, in
 * bytes); a replica with the same history needs only the missing part. Guarded by the keyspace
 * lock.
 */
public final class Replication {

  /** The state of a replica's link to its master; the texts are those of ROLE. */
  public enum MasterLinkState {
    CONNECT,
    CONNECTING,
    HANDSHAKE,
    SYNC,
    CONNECTED
  }

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

  /** An id that no history has. */
  static final String NO_ID = "0".repeat(40);

  private final Keyspace keyspace;
  private final Persistence persistence;
  private final AppendOnly appendOnly;
  private final Users users;
  private final BlockedClients blockedClients;
  private final ReplicationHost host;
  private final ReplicationOptions options;
  private final Replicas replicas;
  private final Failover failover;
  private Runnable changed = () -> {};

  private String id;
  private String formerId = NO_ID;
  private long formerEnd = -1;
  private long offset;

  private @Nullable Address master;
  private MasterLinkState link = MasterLinkState.CONNECT;
  private boolean hasHistory;
  private long downSinceMillis;
  private @Nullable Session masterSession;
  private int streamDatabase;

  /** Commands of the stream that belong together; the group is not complete yet. */
  private final ByteArrayOutputStream unit = new ByteArrayOutputStream();

  private long copyBytes;
  private long copyBytesLeft;
  private long heardMillis;

  /** The part of the master's stream that is on disk. */
  private final ReplicaDisk disk;

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
    disk = new ReplicaDisk(appendOnly);
    this.users = users;
    this.blockedClients = blockedClients;
    this.host = host;
    options = keyspace.settings().replicationOptions();
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

  /** The failover, running or not. */
  public Failover failover() {
    return failover;
  }

  // Facts

  /** The replication id of the data, 40 hexadecimal digits. */
  public String id() {
    return id;
  }

  /** The history that this one branched off from, up to {@link #formerEnd()}. */
  public String formerId() {
    return formerId;
  }

  /** The first offset that no longer belongs to the former history; -1 if there is none. */
  public long formerEnd() {
    return formerEnd;
  }

  /** The number of bytes of the history's stream that the data contain. */
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

  public MasterLinkState link() {
    return link;
  }

  /** The time at which the link to the master was lost, or first attempted; Unix time. */
  public long downSinceMillis() {
    return downSinceMillis;
  }

  /** The time of the last data from the master; Unix time. */
  public long masterHeardMillis() {
    return masterSession == null ? heardMillis : masterSession.info().lastActiveMillis();
  }

  // The master that is followed

  /** Makes the server a replica of another one; the old data stay until the new ones arrive. */
  public void follow(Address address) {
    if (address.equals(master)) return;
    leaveMaster();
    if (master == null) hasHistory = true; // the new master may have branched off from it
    master(address);
    options.master.assign(address.host() + " " + address.port());
    downSinceMillis = keyspace.nowMillis();
    replicas.masterChanged();
    changed.run();
  }

  /** Makes a replica a master that begins its own history here. */
  public void promote() {
    if (master == null) return;
    leaveMaster();
    for (Database database : keyspace.databases()) database.forgetOwnExpiring(); // now all its own
    master(null);
    options.master.assign("");
    formerId = id;
    formerEnd = offset + 1;
    id = keyspace.randomId();
    replicas.masterChanged();
    replicas.closeAll();
    changed.run();
  }

  /** Begins a new history, so that no replica may continue the old one. */
  void forgetHistory() {
    id = keyspace.randomId();
    formerId = NO_ID;
    formerEnd = -1;
  }

  /** Makes replicas request a full sync, since their stream lacks something. */
  public void breakHistory() {
    if (isReplica()) return; // its master feeds its replicas
    LOG.warn("out of memory: replicas, if there are any, need a copy of all data");
    forgetHistory();
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
    if (isReplica() ? !hasHistory : !hasStream) return null;
    return new ReplicationPosition(id, offset, streamDatabase());
  }

  /** The database that the next command of the stream applies to. */
  int streamDatabase() {
    return isReplica() ? streamDatabase : keyspace.log().selected(replicas);
  }

  /** Does the clock work; called about ten times a second. */
  public void cron() {
    replicas.cron();
    failover.look();
    lookAtDisk();
  }

  /** Reports progress of the disk to the master and to waiting clients. */
  public void lookAtDisk() {
    blockedClients.acknowledged();
    if (masterSession != null && disk.follow(offset)) acknowledge();
  }

  private void leaveMaster() {
    Session session = masterSession;
    if (session != null) closed(session);
    if (session != null) session.close();
    link = MasterLinkState.CONNECT;
  }

  // The link, for the thread that makes it

  /** Whether no data have come from the master for repl-timeout. */
  public boolean isMasterSilent() {
    return keyspace.nowMillis() - masterHeardMillis() > options.timeoutSeconds.intValue() * 1000L;
  }

  public void link(MasterLinkState state) {
    link = state;
    heardMillis = keyspace.nowMillis();
  }

  /** Whether the master may know the history of the data, so that it need not send all of them. */
  public boolean mayContinue() {
    return hasHistory;
  }

  /**
   * Takes over the position of data that are about to be loaded. A replica continues from there; a
   * master begins a new history, but accepts replicas that are still in the old one.
   */
  private void restored(ReplicationPosition position) {
    offset = position.offset();
    streamDatabase = position.database();
    if (isReplica()) {
      id = position.id();
      hasHistory = true;
    } else {
      formerId = position.id();
      formerEnd = position.offset() + 1;
      replicas.beginStream();
    }
  }

  /** Notes the beginning of a full sync of {@code bytes} bytes; -1 if the length is unknown. */
  public void copyBegins(long bytes) {
    link = MasterLinkState.SYNC;
    copyBytes = bytes;
    copyBytesLeft = bytes;
    heardMillis = keyspace.nowMillis();
  }

  /** Notes received bytes of the full sync; 0 means that this server makes the master wait. */
  public void copyCame(long bytes) {
    if (copyBytes >= 0) copyBytesLeft -= bytes;
    keyspace.statistics().inputBytes += bytes;
    keyspace.statistics().replicationInputBytes += bytes;
    heardMillis = keyspace.nowMillis();
  }

  /** The size of the running full sync in bytes; -1 if unknown. */
  public long copyBytes() {
    return copyBytes;
  }

  public long copyBytesLeft() {
    return copyBytesLeft;
  }

  /** Notes that the data are about to be replaced. */
  void dataGo() {
    if (hasHistory) LOG.info("Discarding previously cached master state.");
    disk.forget();
    hasHistory = false;
    replicas.closeAll(); // their data now differ from this server's
    replicas.endStream();
  }

  /** Notes that the data are those of a history at some offset. */
  void dataCame(String history, long place, int database) {
    hasHistory = true;
    id = history;
    formerId = NO_ID;
    formerEnd = -1;
    offset = place;
    streamDatabase = database;
    replicas.beginStream();
  }

  /** Notes that the master continues where the data end, perhaps with another replication id. */
  public void continues(String history) {
    if (history.isEmpty() || history.equals(id)) return;
    formerId = id;
    formerEnd = offset + 1;
    id = history;
    replicas.closeAll(); // they learn the new id when they reconnect
  }

  /** Prepares to load a full sync, of the master's data with that replication id and offset. */
  public FullSyncLoader loader(Address from, String history, long at) {
    return new FullSyncLoader(this, keyspace, persistence, appendOnly, from, history, at);
  }

  /** Notes that this session receives the stream from now on. */
  public void streamBegins(Session session) {
    session.user(users.nobody());
    session.becomeMaster(keyspace.database(streamDatabase));
    masterSession = session;
    link = MasterLinkState.CONNECTED;
    acknowledge();
  }

  /** Resumes the stream after it had to wait. */
  public void wakeStream() {
    if (masterSession != null) masterSession.connection().wake();
  }

  /** Handles a failed command of the stream, which succeeded on the master. */
  public void failed(String error, String command) {
    LOG.warn(
        "== CRITICAL == This replica is sending an error to its master: '{}' after processing the"
            + " command '{}'",
        keyspace.settings().monitoringOptions().shown(error),
        command);
    boolean isExpected = !options.isReadOnly.isOn(); // other clients write here, too
    if (isExpected || options.errorBehavior.value().equals("ignore")) return;
    LOG.warn(
        "This replica ends, as propagation-error-behavior wants it: {}",
        options.errorBehavior.value());
    host.shutDown(ShutdownMode.AT_ONCE.withoutSaving());
  }

  /** Handles an executed command of the stream. */
  public void applied(Session session, byte[] bytes, int start, int length) {
    if (session != masterSession) return;
    unit.write(bytes, start, length);
    if (session.transaction() != null) return; // a lost link would lose queued commands
    streamDatabase = session.database().index();
    if (replicas.stream() == null) replicas.beginStream();
    replicas.feed(unit.toByteArray(), 0, unit.size());
    unit.reset();
  }

  /** Answers the master's question how far the data are, in memory and on disk. */
  public void asked() {
    disk.want(offset);
    boolean unused = disk.follow(offset);
    acknowledge();
  }

  /** Sends the master the offset of the data. */
  public void acknowledge() {
    if (masterSession == null) return;
    RespWriter command = new RespWriter(64);
    command.array(disk.offset() < 0 ? 3 : 5);
    command.bulk("REPLCONF");
    command.bulk("ACK");
    command.bulk(offset);
    if (disk.offset() >= 0) {
      command.bulk("FACK");
      command.bulk(disk.offset());
    }
    masterSession.output().send(command.toByteArray());
  }

  public void closed(Session session) {
    replicas.closed(session);
    if (session != masterSession) return;
    LOG.warn("Connection with master lost: {}", session.endReason());
    masterSession = null;
    unit.reset();
    disk.forget();
    link = MasterLinkState.CONNECT;
    downSinceMillis = keyspace.nowMillis();
    changed.run();
  }

  // Refusals

  /** Whether the data may be too old for clients, so that only some commands run. */
  public boolean isStale() {
    return isReplica() && link != MasterLinkState.CONNECTED && !options.servesStaleData.isOn();
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
