package dev.kermes.server.client;

import dev.kermes.server.acl.User;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Restriction;
import org.jspecify.annotations.Nullable;

/**
 * One client: its database, user and protocol, its transaction and wait. Parts of it have classes
 * of their own:
 *
 * <pre>
 *   info           names and counts, for CLIENT LIST        watches        WATCH
 *   output         messages, long and late replies          subscriptions  SUBSCRIBE ...
 *   memory         for maxmemory-clients                    fieldsets      HIMPORT
 * </pre>
 *
 * Guarded by the keyspace lock, except for the parts of {@link ClientOutput} that its connection
 * uses.
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
  private final ClientConnection connection;
  private final ClientInfo info;
  private final ClientOutput output;
  private final ClientMemory memory = new ClientMemory(this);
  private final Watches watches;
  private final Subscriptions subscriptions = new Subscriptions(this);
  private final Fieldsets fieldsets = new Fieldsets();

  private Database database;
  private int protocol = 2;
  private User user;
  private boolean authenticated = true;
  private volatile boolean closing;
  private volatile String endReason = "";
  private int modes;
  private boolean master;
  private volatile @Nullable ReplicaRole replica;
  private AwaitedWrites awaited = AwaitedWrites.NONE;
  private Replies replies = Replies.ON;

  private @Nullable Transaction transaction;
  private @Nullable TrackingMode tracking;
  private @Nullable BlockedClient blocked;
  private boolean paused;

  /** A bit for each {@link Restriction} of this client. */
  private int restrictions;

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
    info = new ClientInfo(nowMillis);
    output = new ClientOutput(this, clients);
    watches = new Watches(this, clients.watchedKeys());
    restrict(Restriction.USER, !user.isUnrestricted());
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
    return blocked != null || closing || paused || output.isInReply();
  }

  public long id() {
    return id;
  }

  public ClientConnection connection() {
    return connection;
  }

  // Parts

  public ClientInfo info() {
    return info;
  }

  public ClientOutput output() {
    return output;
  }

  public ClientMemory memory() {
    return memory;
  }

  public Watches watches() {
    return watches;
  }

  public Subscriptions subscriptions() {
    return subscriptions;
  }

  /** The fieldsets that HIMPORT PREPARE has named. */
  public Fieldsets fieldsets() {
    return fieldsets;
  }

  // The context of its commands

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

  /** Sets the user; called again when the rules of its user have changed. */
  public void user(User loggedIn) {
    if (user != loggedIn) user = loggedIn;
    restrict(Restriction.USER, !loggedIn.isUnrestricted());
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

  /** Whether the client has asked for a mode. */
  public boolean is(ClientMode mode) {
    return mode.isIn(modes);
  }

  public void set(ClientMode mode, boolean isOn) {
    modes = mode.in(modes, isOn);
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

  /** The writes that WAIT and WAITAOF wait for. */
  public AwaitedWrites awaited() {
    return awaited;
  }

  public void awaited(AwaitedWrites writes) {
    awaited = writes;
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

  public boolean isPaused() {
    return paused;
  }

  void paused(boolean isPaused) {
    paused = isPaused;
  }

  // Its end

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
    watches.clear();
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
    return "session " + id + (info.name().isEmpty() ? "" : " " + info.name());
  }
}
