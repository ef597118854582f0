package dev.kermes.server.replication;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.Users;
import dev.kermes.server.client.Session;
import dev.kermes.server.config.ReplicationOptions;
import dev.kermes.server.config.ShutdownMode;
import dev.kermes.server.keyspace.Keyspace;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replication stream that a replica receives from its master: the state of the link, the
 * progress of a full sync, and then the commands, whose offset the replica acknowledges. Guarded by
 * the keyspace lock.
 */
public final class MasterStream {

  private static final Logger LOG = LoggerFactory.getLogger(MasterStream.class);

  private final Replication replication;
  private final Keyspace keyspace;
  private final Users users;
  private final ReplicationHost host;
  private final ReplicationOptions options;

  /** The part of the stream that is on disk. */
  private final ReplicaDisk disk;

  private MasterLinkState state = MasterLinkState.CONNECT;
  private long downSinceMillis;
  private long heardMillis;
  private @Nullable Session session;
  private int database;

  /** Commands of the stream that belong together; the unit is not complete yet. */
  private final ByteArrayOutputStream unit = new ByteArrayOutputStream();

  private long fullSyncBytes;
  private long fullSyncBytesLeft;

  MasterStream(
      Replication replication,
      Keyspace keyspace,
      Users users,
      ReplicationHost host,
      ReplicaDisk disk) {
    this.replication = replication;
    this.keyspace = keyspace;
    this.users = users;
    this.host = host;
    this.disk = disk;
    options = keyspace.settings().replicationOptions();
  }

  // The link

  public MasterLinkState state() {
    return state;
  }

  /** Whether the master's writes arrive. */
  public boolean isConnected() {
    return state == MasterLinkState.CONNECTED;
  }

  public void state(MasterLinkState next) {
    state = next;
    heardMillis = keyspace.nowMillis();
  }

  /** The time at which the link was lost, or first attempted; Unix time. */
  public long downSinceMillis() {
    return downSinceMillis;
  }

  /** The time of the last data from the master; Unix time. */
  public long heardMillis() {
    return session == null ? heardMillis : session.info().lastActiveMillis();
  }

  /** Whether no data have come from the master for repl-timeout. */
  public boolean isSilent() {
    return keyspace.nowMillis() - heardMillis() > options.timeoutSeconds.value() * 1000;
  }

  /** Notes that a link to a new master is wanted from now on. */
  void wanted() {
    downSinceMillis = keyspace.nowMillis();
  }

  /** Closes the link. */
  void leave() {
    Session current = session;
    if (current != null) replication.closed(current);
    if (current != null) current.close();
    state = MasterLinkState.CONNECT;
  }

  /** Notes the end of a session; returns whether it received the stream. */
  boolean closed(Session closed) {
    if (closed != session) return false;
    LOG.warn("Connection with master lost: {}", closed.endReason());
    session = null;
    unit.reset();
    disk.forget();
    state = MasterLinkState.CONNECT;
    downSinceMillis = keyspace.nowMillis();
    return true;
  }

  // The full sync

  /** Notes the beginning of a full sync of {@code bytes} bytes; -1 if the length is unknown. */
  public void fullSyncBegins(long bytes) {
    state = MasterLinkState.SYNC;
    fullSyncBytes = bytes;
    fullSyncBytesLeft = bytes;
    heardMillis = keyspace.nowMillis();
  }

  /** Notes received bytes of the full sync; 0 means that this server makes the master wait. */
  public void fullSyncReceived(long bytes) {
    if (fullSyncBytes >= 0) fullSyncBytesLeft -= bytes;
    keyspace.statistics().inputBytes += bytes;
    keyspace.statistics().replicationInputBytes += bytes;
    heardMillis = keyspace.nowMillis();
  }

  /** The size of the running full sync in bytes; -1 if unknown. */
  public long fullSyncBytes() {
    return fullSyncBytes;
  }

  public long fullSyncBytesLeft() {
    return fullSyncBytesLeft;
  }

  // The commands

  /** Notes that this session receives the stream from now on. */
  public void begins(Session receiver) {
    receiver.user(users.nobody());
    receiver.becomeMaster(keyspace.database(database));
    session = receiver;
    state = MasterLinkState.CONNECTED;
    acknowledge();
  }

  /** The database that the next command of the stream applies to. */
  int database() {
    return database;
  }

  void database(int index) {
    database = index;
  }

  /** Resumes the stream after it had to wait. */
  public void wake() {
    if (session != null) session.connection().wake();
  }

  /** Handles an executed command of the stream. */
  public void applied(Session receiver, byte[] bytes, int start, int length) {
    if (receiver != session) return;
    unit.write(bytes, start, length);
    if (receiver.transaction() != null) return; // a lost link would lose queued commands
    database = receiver.database().index();
    Replicas replicas = replication.replicas();
    if (replicas.stream() == null) replicas.beginStream();
    replicas.feed(unit.toByteArray(), 0, unit.size());
    unit.reset();
  }

  /** Handles a failed command of the stream, which succeeded on the master. */
  public void failed(String error, String command) {
    LOG.warn(
        "== CRITICAL == This replica is sending an error to its master: '{}' after processing the"
            + " command '{}'",
        keyspace.settings().monitoringOptions().shown(error),
        command);
    boolean isExpected = !options.isReadOnly.isOn(); // other clients write here, too
    String reaction = options.errorBehavior.value();
    if (isExpected || reaction.equals("ignore")) return;
    LOG.warn("This replica ends, as propagation-error-behavior wants it: {}", reaction);
    host.shutDown(ShutdownMode.AT_ONCE.withoutSaving());
  }

  // Acknowledging

  /** Answers REPLCONF GETACK: the offset of the data, in memory and on disk. */
  public void acknowledgeSynced() {
    disk.want(replication.offset());
    boolean unused = disk.follow(replication.offset());
    acknowledge();
  }

  /** Tells the master that more of the stream is on disk, if that is the case. */
  void reportDisk() {
    if (session != null && disk.follow(replication.offset())) acknowledge();
  }

  /** Forgets how much of the stream is on disk, since the data are about to be replaced. */
  void forgetDisk() {
    disk.forget();
  }

  /** Sends the master the offset of the data. */
  public void acknowledge() {
    if (session == null) return;
    RespWriter command = new RespWriter(64);
    command.array(disk.offset() < 0 ? 3 : 5);
    command.bulk("REPLCONF");
    command.bulk("ACK");
    command.bulk(replication.offset());
    if (disk.offset() >= 0) {
      command.bulk("FACK");
      command.bulk(disk.offset());
    }
    session.output().send(command.toByteArray());
  }
}
