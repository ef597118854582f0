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
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.Persistence;
import dev.kermes.server.persistence.ReplicationPosition;
import dev.kermes.server.persistence.Snapshots;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's part in replication: master, or replica of another one. Its data are those of a
 * history ({@link #id()}) up to a place in that history's stream of writes ({@link #offset()}, in
 * bytes); a replica with the same history needs only what it is missing. Guarded by the keyspace
 * lock.
 */
public final class Replication {

  /** How far a replica has come with its master; the texts are those of ROLE. */
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

  /** Commands of the stream that belong together and are not yet complete. */
  private final ByteArrayOutputStream unit = new ByteArrayOutputStream();

  private long copyBytes;
  private long copyBytesLeft;
  private long heardMillis;

  /** How much of the master's stream is on disk. */
  private final ReplicaDisk disk;

  /** A master, or the replica of the master that the settings name. */
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
    if (!options.master.isEmpty()) master(Address.parse(options.master));
  }

  private void master(@Nullable Address address) {
    master = address;
    keyspace.isReplica(address != null);
  }

  /** Sets what is done when the server gets another master or none; must not wait. */
  public void onChange(Runnable action) {
    changed = action;
  }

  public ReplicationOptions options() {
    return options;
  }

  public Replicas replicas() {
    return replicas;
  }

  /** The handing over of the master's part, if that is under way. */
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

  /** The first offset that is no longer of the former history; -1 if there is none. */
  public long formerEnd() {
    return formerEnd;
  }

  /** How many bytes of the history's stream are in the data. */
  public long offset() {
    return offset;
  }

  /** The master, null if this server is one. */
  public @Nullable Address master() {
    return master;
  }

  public boolean isReplica() {
    return master != null;
  }

  public MasterLinkState link() {
    return link;
  }

  /** When the link to the master was lost, or sought first; Unix time. */
  public long downSinceMillis() {
    return downSinceMillis;
  }

  /** When the master was last heard of; Unix time. */
  public long masterHeardMillis() {
    return masterSession == null ? heardMillis : masterSession.lastActiveMillis();
  }

  // The master that is followed

  /** Makes the server a replica of another one; the data stay until that one's are there. */
  public void follow(Address address) {
    if (address.equals(master)) return;
    leaveMaster();
    if (master == null) hasHistory = true; // perhaps the new one has branched off from this one
    master(address);
    options.master = address.host() + " " + address.port();
    downSinceMillis = keyspace.nowMillis();
    replicas.masterChanged();
    keyspace.restrictionsChanged();
    changed.run();
  }

  /** Makes a replica a master, with a history of its own from here on. */
  public void promote() {
    if (master == null) return;
    leaveMaster();
    for (Database database : keyspace.databases()) database.forgetOwnExpiring(); // all are its own
    master(null);
    options.master = "";
    formerId = id;
    formerEnd = offset + 1;
    id = keyspace.randomId();
    replicas.masterChanged();
    replicas.closeAll();
    keyspace.restrictionsChanged();
    changed.run();
  }

  /** The data are the beginning of a new history: no replica may continue the old one. */
  void forgetHistory() {
    id = keyspace.randomId();
    formerId = NO_ID;
    formerEnd = -1;
  }

  /** Replicas lack something: they are to ask again, and to get a copy of all data. */
  public void breakHistory() {
    if (isReplica()) return; // its replicas hear what its master says
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

  /** The position of the data that RDB files record; null if it is of no use to a master. */
  @Nullable ReplicationPosition position() {
    boolean hasStream = replicas.stream() != null;
    if (isReplica() ? !hasHistory : !hasStream) return null;
    return new ReplicationPosition(id, offset, streamDatabase());
  }

  /** The database that the next command of the stream is about. */
  int streamDatabase() {
    return isReplica() ? streamDatabase : keyspace.log().selected(replicas);
  }

  /** To be called ten times a second or so. */
  public void cron() {
    replicas.cron();
    failover.look();
    lookAtDisk();
  }

  /** More may be on disk: tells the master, and those who wait for that. */
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

  /** Whether nothing has come from the master for repl-timeout. */
  public boolean isMasterSilent() {
    return keyspace.nowMillis() - masterHeardMillis() > options.timeoutSeconds * 1000L;
  }

  public void link(MasterLinkState state) {
    link = state;
    heardMillis = keyspace.nowMillis();
  }

  /** Whether the data are of a history that the master may know, so that it need not send all. */
  public boolean mayContinue() {
    return hasHistory;
  }

  /**
   * Takes over the position of the data that are about to be loaded. A replica continues there; a
   * master begins a new history, whose replicas may still be in that one.
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

  /** A full sync of {@code bytes} bytes begins; -1 if the master does not say. */
  public void copyBegins(long bytes) {
    link = MasterLinkState.SYNC;
    copyBytes = bytes;
    copyBytesLeft = bytes;
    heardMillis = keyspace.nowMillis();
  }

  /** Notes the arrival of bytes of the full sync; with 0 this server lets the master wait. */
  public void copyCame(long bytes) {
    if (copyBytes >= 0) copyBytesLeft -= bytes;
    keyspace.statistics().inputBytes += bytes;
    keyspace.statistics().replicationInputBytes += bytes;
    heardMillis = keyspace.nowMillis();
  }

  /** Bytes of the full sync under way; -1 if that is not known. */
  public long copyBytes() {
    return copyBytes;
  }

  public long copyBytesLeft() {
    return copyBytesLeft;
  }

  /** The data are about to be replaced. */
  void dataGo() {
    if (hasHistory) LOG.info("Discarding previously cached master state.");
    disk.forget();
    hasHistory = false;
    replicas.closeAll(); // their data are no longer those of this server
    replicas.endStream();
  }

  /** The data are those of a history at some place. */
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
    replicas.closeAll(); // they will hear of the new name
  }

  /** Prepares to load a full sync, of the master's data with that replication id and offset. */
  public FullSyncLoader loader(Address from, String history, long at) {
    return new FullSyncLoader(this, keyspace, persistence, appendOnly, from, history, at);
  }

  /** From now on the stream comes through this session. */
  public void streamBegins(Session session) {
    session.user(users.nobody());
    session.becomeMaster(keyspace.database(streamDatabase));
    masterSession = session;
    link = MasterLinkState.CONNECTED;
    acknowledge();
  }

  /** Goes on with what came of the stream while it had to wait. */
  public void wakeStream() {
    if (masterSession != null) masterSession.connection().wake();
  }

  /** A command of the stream has failed, as it did not where it was run first. */
  public void failed(String error, String command) {
    LOG.warn(
        "== CRITICAL == This replica is sending an error to its master: '{}' after processing the"
            + " command '{}'",
        keyspace.settings().monitoringOptions().shown(error),
        command);
    boolean isExpected = !options.isReadOnly; // others write here as well
    if (isExpected || options.errorBehavior.equals("ignore")) return;
    LOG.warn(
        "This replica ends, as propagation-error-behavior wants it: {}", options.errorBehavior);
    host.shutDown(ShutdownMode.AT_ONCE.withoutSaving());
  }

  /** A command of the stream has been executed. */
  public void applied(Session session, byte[] bytes, int start, int length) {
    if (session != masterSession) return;
    unit.write(bytes, start, length);
    if (session.transaction() != null) return; // queued commands would be lost with the link
    streamDatabase = session.database().index();
    if (replicas.stream() == null) replicas.beginStream();
    replicas.feed(unit.toByteArray(), 0, unit.size());
    unit.reset();
  }

  /** The master wants to know how far the data are, and what of them is on disk. */
  public void asked() {
    disk.want(offset);
    boolean unused = disk.follow(offset);
    acknowledge();
  }

  /** Tells the master how far the data are. */
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
    masterSession.send(command.toByteArray());
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

  /** Whether the data may be older than its clients want: then only some commands are run. */
  public boolean isStale() {
    return isReplica() && link != MasterLinkState.CONNECTED && !options.servesStaleData;
  }

  /** Why the server takes no writes from its clients; null if it does. */
  public @Nullable String whyNoWrites() {
    if (isReplica()) {
      return options.isReadOnly ? "READONLY You can't write against a read only replica." : null;
    }
    boolean isEnough = options.replicasMin == 0 || replicas.goodCount() >= options.replicasMin;
    return isEnough ? null : "NOREPLICAS Not enough good replicas to write.";
  }
}
