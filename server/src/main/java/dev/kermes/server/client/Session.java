package dev.kermes.server.client;

import dev.kermes.server.acl.User;
import dev.kermes.server.config.OutputLimits.ClientClass;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.data.Frozen;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Restriction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One client: its database, watched keys, transaction, subscriptions and wait. Guarded by the
 * keyspace lock, except for {@link #pollMessage()}, which is for the thread that owns the
 * connection.
 */
public final class Session {

  /** The modes of CLIENT REPLY. */
  public enum Replies {
    ON,
    OFF,
    SKIP
  }

  private final Clients clients;
  private final long id;
  private @Nullable Frozen tail;
  private final ClientConnection connection;
  private final long createdMillis;

  /** The approximate bytes of a session, its connection and a name in their tables. */
  private static final int OBJECT_BYTES = 1024;

  /** 16 KiB: a reply that is just being written does not count as memory held by the client. */
  private static final int SHORT_OUTPUT_BYTES = 16 * 1024;

  private static final int NAME_BYTES = 100;

  private final Queue<byte[]> messages = new ConcurrentLinkedQueue<>();
  private @Nullable List<byte[]> held;
  private final AtomicLong messageBytes = new AtomicLong();

  private Database database;
  private int protocol = 2;
  private User user;
  private boolean authenticated = true;
  private volatile boolean closing;
  private volatile String endReason = "";
  private boolean replyTooLong;
  private boolean knowsRedirects;
  private boolean readsReplicas;
  private boolean noEvict;
  private boolean noTouch;
  private boolean importSource;
  private boolean master;
  private volatile @Nullable ReplicaRole replica;
  private long awaitedOffset;
  private long awaitedPlace;
  private volatile long loggedPlace;
  private Replies replies = Replies.ON;
  private String name = "";
  private String libraryName = "";
  private String libraryVersion = "";
  private String lastCommand = "NULL";
  private long lastActiveMillis;
  private long commandCount;
  private long inputBytes;
  private long measuredBytes;

  private @Nullable Transaction transaction;
  private final Set<WatchedKeys.Watch> watches = new HashSet<>(0);
  private boolean watchTouched;

  private final Set<ByteKey> channels = new LinkedHashSet<>(0);
  private final Set<ByteKey> patterns = new LinkedHashSet<>(0);
  private final Set<ByteKey> shardChannels = new LinkedHashSet<>(0);

  private final Fieldsets fieldsets = new Fieldsets();
  private @Nullable TrackingMode tracking;
  private @Nullable BlockedClient blocked;
  private boolean paused;

  /** A bit for each {@link Restriction} of this client. */
  private int restrictions;

  private volatile boolean awaitsReply;
  private volatile byte @Nullable [] lateReply;

  Session(
      Clients clients,
      long id,
      ClientConnection connection,
      Database database,
      User user,
      long nowMillis) {
    this.clients = clients;
    this.id = id;
    this.connection = connection;
    this.database = database;
    this.user = user;
    createdMillis = nowMillis;
    lastActiveMillis = nowMillis;
    noteRules();
  }

  /** Whether something about this client prevents a command from simply running. */
  public boolean isRestricted() {
    return restrictions != 0;
  }

  /** Sets or clears a restriction of this client; for the class that knows the fact. */
  public void restrict(Restriction restriction, boolean isOn) {
    restrictions = restriction.in(restrictions, isOn);
  }

  /** Whether its next command must wait, or will not run. */
  public boolean isStopped() {
    return blocked != null || closing || paused || tail != null || awaitsReply;
  }

  public long id() {
    return id;
  }

  public ClientConnection connection() {
    return connection;
  }

  public long createdMillis() {
    return createdMillis;
  }

  public Database database() {
    return database;
  }

  public void database(Database selected) {
    database = selected;
  }

  public int protocol() {
    return protocol;
  }

  public void protocol(int version) {
    protocol = version;
  }

  /** Whether it has logged in, or does not have to. */
  public boolean isAuthenticated() {
    return authenticated || clients.users().isOpen();
  }

  /** The user; the default user until it logs in as another one. */
  public User user() {
    return user;
  }

  public void user(User loggedIn) {
    if (user != loggedIn) user = loggedIn;
    noteRules();
  }

  /** Notes that the rules of its user may have changed. */
  void noteRules() {
    restrict(Restriction.USER, !user.isUnrestricted());
  }

  public void authenticated(boolean isAuthenticated) {
    authenticated = isAuthenticated;
    restrict(Restriction.LOGIN, !isAuthenticated);
  }

  public Replies replies() {
    return replies;
  }

  public void replies(Replies mode) {
    replies = mode;
    restrict(Restriction.NO_REPLIES, mode != Replies.ON);
  }

  public String name() {
    return name;
  }

  public void name(String newName) {
    name = newName;
  }

  public String libraryName() {
    return libraryName;
  }

  public void libraryName(String library) {
    libraryName = library;
  }

  public String libraryVersion() {
    return libraryVersion;
  }

  public void libraryVersion(String version) {
    libraryVersion = version;
  }

  public boolean isNoEvict() {
    return noEvict;
  }

  public void noEvict(boolean on) {
    noEvict = on;
  }

  public boolean isNoTouch() {
    return noTouch;
  }

  public void noTouch(boolean on) {
    noTouch = on;
  }

  /** Whether it imports another server's data, see import-mode. */
  public boolean isImportSource() {
    return importSource;
  }

  public void importSource(boolean on) {
    importSource = on;
  }

  /** Whether it receives the master's stream of writes. */
  public boolean isMaster() {
    return master;
  }

  /** The replica that it serves, null if it serves none. */
  public @Nullable ReplicaRole replica() {
    return replica;
  }

  public void replica(ReplicaRole served) {
    replica = served;
  }

  /** The offset of the stream of writes that it waits for replicas to reach. */
  public long awaitedOffset() {
    return awaitedOffset;
  }

  /** The position of the append only file that it waits to be synced. */
  public long awaitedPlace() {
    return awaitedPlace;
  }

  public void awaits(long offset, long place) {
    awaitedOffset = offset;
    awaitedPlace = place;
  }

  /** The position of the append only file that contains everything done for this client. */
  public long loggedPlace() {
    return loggedPlace;
  }

  /**
   * Notes the position of the append only file after a command of this client.
   *
   * @param before the end of the log before the command
   * @param place the end of the log after it
   */
  public void noteLogged(long before, long place) {
    if (place > before) loggedPlace = place;
  }

  /** Whether it serves a replica that has asked for the data. */
  public boolean isReplica() {
    ReplicaRole served = replica;
    return served != null && served.isReplica();
  }

  /** Makes it the session of the master, whose commands need no reply and no permission. */
  public void becomeMaster(Database selected) {
    master = true;
    database = selected;
    authenticated(true);
    protocol(2);
  }

  /** Whether the client has announced that it handles redirects. */
  public boolean knowsRedirects() {
    return knowsRedirects;
  }

  public void knowsRedirects(boolean knows) {
    knowsRedirects = knows;
  }

  /** Whether the client has announced that a replica may serve its reads. */
  public boolean readsReplicas() {
    return readsReplicas;
  }

  public void readsReplicas(boolean reads) {
    readsReplicas = reads;
  }

  public boolean isPaused() {
    return paused;
  }

  void paused(boolean isPaused) {
    paused = isPaused;
  }

  // Bookkeeping

  /** Notes a read of {@code bytes} bytes that contained {@code commands} commands. */
  public void noteActivity(long nowMillis, int commands, long bytes) {
    lastActiveMillis = nowMillis;
    commandCount += commands;
    inputBytes += bytes;
  }

  public void lastCommand(String fullName) {
    lastCommand = fullName;
  }

  public String lastCommand() {
    return lastCommand;
  }

  public long lastActiveMillis() {
    return lastActiveMillis;
  }

  public long commandCount() {
    return commandCount;
  }

  public long inputBytes() {
    return inputBytes;
  }

  /** The fieldsets that HIMPORT PREPARE has named. */
  public Fieldsets fieldsets() {
    return fieldsets;
  }

  // Messages from others

  /** Bytes of output that the client has not read yet. */
  public long outputBytes() {
    return connection.pendingBytes() + messageBytes.get();
  }

  /** The approximate memory of this client, for CLIENT LIST and maxmemory-clients. */
  public long memoryBytes() {
    int names = channels.size() + patterns.size() + shardChannels.size();
    if (tracking != null) names += tracking.prefixes().size();
    long subscriptions = NAME_BYTES * (long) names;
    long queued = transaction == null ? 0 : transaction.bytes();
    long watched = NAME_BYTES * (long) watches.size();
    long own = OBJECT_BYTES + fieldsets.bytes();
    long output = Math.max(0, outputBytes() - SHORT_OUTPUT_BYTES);
    return own + connection.inputBufferBytes() + output + subscriptions + queued + watched;
  }

  /** Measures {@link #memoryBytes()} for the account of all clients. */
  long measureMemory() {
    measuredBytes = memoryBytes();
    return measuredBytes;
  }

  /** Removes this client from the account; returns the bytes that the account contained. */
  long forgetMeasured() {
    long bytes = measuredBytes;
    measuredBytes = 0;
    return bytes;
  }

  /** Takes the next waiting message, null if there is none. The connection's own thread. */
  public byte @Nullable [] pollMessage() {
    if (tail != null || awaitsReply) return null; // not in the middle of a reply
    byte[] late = lateReply;
    if (late != null) {
      lateReply = null;
      return late;
    }
    byte[] message = messages.poll();
    if (message != null) messageBytes.addAndGet(-message.length);
    return message;
  }

  /** The rest of its last reply, which is written before any other output. */
  public @Nullable Frozen tail() {
    return tail;
  }

  public void tail(@Nullable Frozen rest) {
    tail = rest;
  }

  /** Marks that a reply follows later; until then the client waits. */
  public void beginLateReply() {
    awaitsReply = true;
  }

  /** Sends the rest of a late reply, before any other output. */
  public void endLateReply(byte[] reply) {
    lateReply = reply;
    awaitsReply = false;
    connection.wake();
  }

  /** Sends a message that is not the reply of the running command; ignored while closing. */
  public void send(byte[] encoded) {
    if (closing) return; // it may just have lost its permission to receive this
    if (held != null) {
      held.add(encoded);
      return;
    }
    messages.add(encoded);
    messageBytes.addAndGet(encoded.length);
    connection.wake();
    clients.hasMessages(this, encoded.length);
  }

  /** Holds back further messages, since a reply must be sent before them. */
  public void hold() {
    held = new ArrayList<>();
  }

  /** Sends the reply, if there is one, and then the messages held back. */
  public void release(byte @Nullable [] reply) {
    List<byte[]> after = held;
    held = null;
    if (reply != null) send(reply);
    if (after != null) after.forEach(this::send);
  }

  /** Closes the connection once all previous output has been written. */
  public void close() {
    closing = true;
    connection.closeSoon();
  }

  /** Records why its connection ends; only the first reason counts. */
  public void closedBecause(String reason) {
    if (endReason.isEmpty()) endReason = reason;
  }

  /** The reason why its connection has ended. */
  public String endReason() {
    if (!endReason.isEmpty()) return endReason;
    return closing ? "closed by this server" : "closed by the peer";
  }

  public boolean isClosing() {
    return closing;
  }

  /** Notes that a reply was given up because it would exceed the client's output limit. */
  public void replyIsTooLong() {
    replyTooLong = true;
  }

  public boolean isReplyTooLong() {
    return replyTooLong;
  }

  // Transactions

  public @Nullable Transaction transaction() {
    return transaction;
  }

  public void begin() {
    transaction = new Transaction(database.index());
    restrict(Restriction.TRANSACTION, true);
  }

  public void endTransaction() {
    transaction = null;
    restrict(Restriction.TRANSACTION, false);
    unwatch();
  }

  public void watch(byte[] key) {
    WatchedKeys.Watch watch = new WatchedKeys.Watch(database, new ByteKey(key));
    if (watches.add(watch)) clients.watchedKeys().add(watch, this);
  }

  public void unwatch() {
    for (WatchedKeys.Watch watch : watches) clients.watchedKeys().remove(watch, this);
    watches.clear();
    watchTouched = false;
  }

  public int watchCount() {
    return watches.size();
  }

  void touchWatch() {
    watchTouched = true;
  }

  /** Whether EXEC must abort: a watched key was changed or has expired since. */
  public boolean isWatchBroken(long nowMillis) {
    if (watchTouched) return true;
    for (WatchedKeys.Watch watch : watches) {
      if (watch.isExpired(nowMillis)) return true;
    }
    return false;
  }

  // Subscriptions

  public Set<ByteKey> channels() {
    return channels;
  }

  public Set<ByteKey> patterns() {
    return patterns;
  }

  public Set<ByteKey> shardChannels() {
    return shardChannels;
  }

  public boolean isSubscriber() {
    return !channels.isEmpty() || !patterns.isEmpty() || !shardChannels.isEmpty();
  }

  void noteSubscriptions() {
    restrict(Restriction.SUBSCRIBER, isSubscriber());
  }

  /** The class that determines its output limit. */
  public ClientClass outputClass() {
    if (!isAuthenticated()) return ClientClass.UNAUTHENTICATED;
    return isSubscriber() ? ClientClass.PUBSUB : ClientClass.NORMAL;
  }

  // Client-side caching

  /** Its options of client-side caching, null if it does not cache. */
  public @Nullable TrackingMode tracking() {
    return tracking;
  }

  void tracking(@Nullable TrackingMode mode) {
    tracking = mode;
  }

  // Blocking

  public @Nullable BlockedClient blocked() {
    return blocked;
  }

  void blocked(@Nullable BlockedClient waiting) {
    blocked = waiting;
  }

  @Override
  public String toString() {
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    return "session " + id + (ascii.length == 0 ? "" : " " + name);
  }
}
