package dev.kermes.server.replication;

import dev.kermes.server.client.ReplicaRole;
import dev.kermes.server.client.Session;
import dev.kermes.server.persistence.FullSyncContent;
import org.jspecify.annotations.Nullable;

/**
 * A replica as its master knows it. Guarded by the keyspace lock, except for {@link #cursor()},
 * which is for the thread that owns the connection.
 */
public final class Replica implements ReplicaRole {

  /** How far it is; the texts are those of INFO. */
  public enum State {
    /** It has said something about itself. */
    HANDSHAKE("handshake"),
    /** It waits for a copy of the data. */
    WAITS("wait_bgsave"),
    /** The copy is on its way. */
    COPIES("wait_bgsave"),
    /** The copy has been sent, and it is to say that it is loaded. */
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
  private boolean knowsHistories;
  private boolean isOld;
  private FullSyncContent content = FullSyncContent.ALL;
  private long acknowledged;
  private long onDisk = -1;
  private long heardMillis;
  private long waitsSinceMillis;

  /** When it was seen first that more waits for it than the soft limit allows; or never. */
  private long slowSinceMillis = Long.MAX_VALUE;

  /** The position in its full sync at the last check. */
  private long copyPlace = -1;

  private long copyPlaceMillis;

  /** The beginning of its stream after the full sync. */
  private ByteChain.@Nullable Cursor later;

  private volatile ByteChain.@Nullable Cursor cursor;
  private volatile @Nullable FullSyncWriter copy;

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

  /** The port that it listens on, as it says itself. */
  public int port() {
    return port;
  }

  public void port(int listening) {
    port = listening;
  }

  /** The address that it wants to be known by, or the one it comes from. */
  public String ip() {
    if (!ip.isEmpty()) return ip;
    String peer = session.connection().peerAddress();
    return peer.substring(0, Math.max(0, peer.lastIndexOf(':')));
  }

  public void ip(String announced) {
    ip = announced;
  }

  /** The address by which it can be followed. */
  public Replication.Address address() {
    return new Replication.Address(ip(), port);
  }

  /** Takes a word that says what it can do; others than these are of no use here. */
  public void can(String capability) {
    if (capability.equalsIgnoreCase("eof")) knowsMarks = true;
    if (capability.equalsIgnoreCase("psync2")) knowsHistories = true;
  }

  /** Whether a copy may end with a mark, so that its length need not be known before. */
  boolean knowsMarks() {
    return knowsMarks;
  }

  boolean knowsHistories() {
    return knowsHistories;
  }

  /** It comes with SYNC, and knows of no offsets. */
  public void isOld(boolean old) {
    isOld = old;
  }

  boolean isOld() {
    return isOld;
  }

  /** The part of the data that it wants. */
  FullSyncContent content() {
    return content;
  }

  public void content(FullSyncContent wanted) {
    content = wanted;
  }

  /** How much of the stream it has executed. */
  public long acknowledged() {
    return acknowledged;
  }

  /** How much of the stream it has on disk; -1 if it keeps none there. */
  public long onDisk() {
    return onDisk;
  }

  public void onDisk(long offset) {
    onDisk = offset;
  }

  /** When it last said so; Unix time. */
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
    session.refresh();
    waitsSinceMillis = nowMillis;
    heardMillis = nowMillis;
  }

  /** How long more has been waiting for it than it may, in milliseconds; 0 if that is not so. */
  long slowMillis(boolean isSlow, long nowMillis) {
    slowSinceMillis = isSlow ? Math.min(slowSinceMillis, nowMillis) : Long.MAX_VALUE;
    return isSlow ? nowMillis - slowSinceMillis : 0;
  }

  /** Whether it has read nothing of a waiting full sync for {@code timeoutMillis}. */
  boolean isStuck(long nowMillis, long timeoutMillis) {
    ByteChain.Cursor place = cursor;
    FullSyncWriter writer = copy;
    boolean canRead = place != null && writer != null && writer.hasMoreAt(place.place());
    boolean isThere = place != null && place.place() == copyPlace;
    if (!canRead || !isThere) copyPlaceMillis = nowMillis;
    copyPlace = place == null ? -1 : place.place();
    return nowMillis - copyPlaceMillis > timeoutMillis;
  }

  // Sending

  /** A copy has begun, after which the stream comes from that place on. */
  void copies(FullSyncWriter writer, ByteChain.Cursor stream) {
    state = State.COPIES;
    copy = writer;
    later = stream;
  }

  /** Makes it read from there. */
  void reads(ByteChain.Cursor place) {
    cursor = place;
  }

  /** The copy has been sent. */
  void loads() {
    state = State.LOADS;
    cursor = null;
    copy = null;
  }

  void goesOnline(ByteChain.@Nullable Cursor stream, long nowMillis) {
    state = State.ONLINE;
    session.refresh();
    copy = null;
    heardMillis = nowMillis;
    cursor = stream == null ? later : stream;
    later = null;
    session.connection().wake();
  }

  /** Its position; to be read before messages are sent, which go first. */
  public ByteChain.@Nullable Cursor cursor() {
    return cursor;
  }

  /** Whether all of the copy has been written. */
  public boolean hasCopy() {
    FullSyncWriter writer = copy;
    ByteChain.Cursor place = cursor;
    return writer != null && place != null && writer.isComplete(place.place());
  }

  /** The mark at the end of a full sync, for a replica that knows marks; else empty. */
  String mark() {
    FullSyncWriter writer = copy;
    return writer == null || !knowsMarks ? "" : writer.mark();
  }

  /** Bytes between where it reads and the end of the stream; those of a copy do not count. */
  public long pendingBytes(long streamEnd) {
    ByteChain.Cursor place = later != null ? later : cursor;
    return place == null ? 0 : streamEnd - place.place();
  }

  /** As the log names it. */
  @Override
  public String toString() {
    return port == 0 ? session.connection().peerAddress() : ip() + ":" + port;
  }
}
