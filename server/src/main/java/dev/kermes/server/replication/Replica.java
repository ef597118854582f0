package dev.kermes.server.replication;

import dev.kermes.server.client.ReplicaRole;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.UnreadOutput;
import dev.kermes.server.keyspace.Restriction;
import dev.kermes.server.persistence.FullSyncContent;
import org.jspecify.annotations.Nullable;

/**
 * A replica as its master sees it. Guarded by the keyspace lock, except for {@link #cursor()},
 * which is for the thread that owns the connection.
 */
public final class Replica implements ReplicaRole {

  /** The progress of a replica; the texts are those of INFO. */
  public enum State {
    /** The replica has sent facts about itself. */
    HANDSHAKE("handshake"),
    /** The replica waits for a full sync. */
    WAITS("wait_bgsave"),
    /** The replica is receiving a full sync. */
    RECEIVES("wait_bgsave"),
    /** The full sync has been sent; the replica has not acknowledged it yet. */
    LOADS("send_bulk"),
    ONLINE("online");

    private final String text;

    State(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  private final Session session;
  private State state = State.HANDSHAKE;
  private int port;
  private String ip = "";
  private boolean knowsMarks;
  private boolean knowsPsync2;
  private boolean isOld;
  private FullSyncContent content = FullSyncContent.ALL;
  private long acknowledged;
  private long onDisk = -1;
  private long heardMillis;
  private long waitsSinceMillis;

  private final UnreadOutput unread = new UnreadOutput();

  /** Its offset in the full sync at the last check, and the time when it first had that offset. */
  private long fullSyncOffset = -1;

  private long fullSyncOffsetMillis;

  /** The beginning of its stream after the full sync. */
  private ByteChain.@Nullable Cursor later;

  private volatile ByteChain.@Nullable Cursor cursor;
  private volatile @Nullable FullSyncWriter fullSync;

  Replica(Session session) {
    this.session = session;
  }

  /** The replica behind a session; null if there is none. */
  public static @Nullable Replica find(Session session) {
    return (Replica) session.replica();
  }

  @Override
  public boolean isReplica() {
    return state != State.HANDSHAKE;
  }

  public Session session() {
    return session;
  }

  public State state() {
    return state;
  }

  void state(State next) {
    state = next;
  }

  /** The port on which it listens, as announced by itself. */
  public int port() {
    return port;
  }

  public void port(int listening) {
    port = listening;
  }

  /** The address that it announced, or else that of its connection. */
  public String ip() {
    return ip.isEmpty() ? session.connection().peerIp() : ip;
  }

  public void ip(String announced) {
    ip = announced;
  }

  /** The address at which another server can follow it. */
  public Replication.Address address() {
    return new Replication.Address(ip(), port);
  }

  /** Notes a capability that it announced; others have no effect here. */
  public void can(String capability) {
    if (capability.equalsIgnoreCase("eof")) knowsMarks = true;
    if (capability.equalsIgnoreCase("psync2")) knowsPsync2 = true;
  }

  /** Whether a full sync may end with a mark, so that its length need not be known in advance. */
  boolean knowsMarks() {
    return knowsMarks;
  }

  boolean knowsPsync2() {
    return knowsPsync2;
  }

  /** Sets whether it uses SYNC, without offsets. */
  public void isOld(boolean old) {
    isOld = old;
  }

  boolean isOld() {
    return isOld;
  }

  /** The part of the data that it requested. */
  FullSyncContent content() {
    return content;
  }

  public void content(FullSyncContent wanted) {
    content = wanted;
  }

  /** The offset up to which it has executed the stream. */
  public long acknowledged() {
    return acknowledged;
  }

  /** The offset up to which it has the stream on disk; -1 if it keeps no file. */
  public long onDisk() {
    return onDisk;
  }

  public void onDisk(long offset) {
    onDisk = offset;
  }

  /** The time of its last acknowledgement; Unix time. */
  public long heardMillis() {
    return heardMillis;
  }

  void heard(long offset, long nowMillis) {
    acknowledged = Math.max(acknowledged, offset);
    heardMillis = nowMillis;
  }

  long waitsSinceMillis() {
    return waitsSinceMillis;
  }

  void waits(long nowMillis) {
    state = State.WAITS;
    session.restrict(Restriction.REPLICA_LINK, true);
    waitsSinceMillis = nowMillis;
    heardMillis = nowMillis;
  }

  /** Its unread stream. */
  UnreadOutput unread() {
    return unread;
  }

  /**
   * Notes its progress; returns whether it has read nothing of an available full sync for {@code
   * timeoutMillis}.
   */
  boolean detectStall(long nowMillis, long timeoutMillis) {
    ByteChain.Cursor current = cursor;
    FullSyncWriter writer = fullSync;
    boolean canRead = current != null && writer != null && writer.hasMoreAt(current.offset());
    boolean isThere = current != null && current.offset() == fullSyncOffset;
    if (!canRead || !isThere) fullSyncOffsetMillis = nowMillis;
    fullSyncOffset = current == null ? -1 : current.offset();
    return nowMillis - fullSyncOffsetMillis > timeoutMillis;
  }

  // Sending

  /** Begins a full sync; the stream follows from that cursor. */
  void receives(FullSyncWriter writer, ByteChain.Cursor stream) {
    state = State.RECEIVES;
    fullSync = writer;
    later = stream;
  }

  /** Sets the cursor from which it reads. */
  void reads(ByteChain.Cursor start) {
    cursor = start;
  }

  /** Notes that the full sync has been sent. */
  void loads() {
    state = State.LOADS;
    cursor = null;
    fullSync = null;
  }

  void goesOnline(ByteChain.@Nullable Cursor stream, long nowMillis) {
    state = State.ONLINE;
    session.restrict(Restriction.REPLICA_LINK, true);
    fullSync = null;
    heardMillis = nowMillis;
    cursor = stream == null ? later : stream;
    later = null;
    session.connection().wake();
  }

  /** Its cursor. Read it before sending messages, which go first. */
  public ByteChain.@Nullable Cursor cursor() {
    return cursor;
  }

  /** Whether it has read a full sync to the end. */
  public boolean hasReadFullSync() {
    FullSyncWriter writer = fullSync;
    ByteChain.Cursor current = cursor;
    return writer != null && current != null && writer.isComplete(current.offset());
  }

  /** The mark at the end of a full sync, for a replica that knows marks; else empty. */
  String mark() {
    FullSyncWriter writer = fullSync;
    return writer == null || !knowsMarks ? "" : writer.mark();
  }

  /** Bytes between its position and the end of the stream, without those of a full sync. */
  public long pendingBytes(long streamEnd) {
    ByteChain.Cursor current = later != null ? later : cursor;
    return current == null ? 0 : streamEnd - current.offset();
  }

  /** The replica's name in the log. */
  @Override
  public String toString() {
    String host = ip();
    if (port == 0) return session.connection().peerAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
