package dev.kermes.server.client;

import dev.kermes.server.acl.Users;
import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.config.OutputLimits;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.MemoryAccount;
import dev.kermes.server.keyspace.Restriction;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a server: their sessions, the memory that they hold, and those that see every
 * command (MONITOR). Guarded by the keyspace lock.
 */
public final class Clients {

  private static final Comparator<Session> LARGEST_FIRST =
      Comparator.<Session>comparingLong(each -> each.memory().bytes()).reversed();

  private static final Comparator<Session> STRANGERS_FIRST =
      Comparator.comparing(Session::isAuthenticated).thenComparing(LARGEST_FIRST);

  private final Keyspace keyspace;
  private final MemoryAccount memory;
  private final MemoryOptions limits;
  private final Users users;
  private final Closings closings;
  private final WatchedKeys watchedKeys = new WatchedKeys();
  private final Map<Long, Session> sessions = new LinkedHashMap<>();
  private final Set<Session> monitors = new LinkedHashSet<>();
  private @Nullable Session current;
  private long nextSessionId = 1;
  private long messageBytesSinceLook;

  /** Creates it without clients. */
  public Clients(Keyspace keyspace, Users users) {
    this.keyspace = keyspace;
    this.users = users;
    memory = keyspace.memory();
    limits = keyspace.settings().memoryOptions();
    closings = new Closings(keyspace.clock());
  }

  public Users users() {
    return users;
  }

  /** The log of clients that were closed. */
  public Closings closings() {
    return closings;
  }

  public WatchedKeys watchedKeys() {
    return watchedKeys;
  }

  // Sessions

  /** Opens the session of a new connection, as the default user. */
  public Session open(ClientConnection connection) {
    long now = keyspace.clock().millis();
    Session session =
        new Session(
            this, nextSessionId++, connection, keyspace.database(0), users.defaultUser(), now);
    session.authenticated(users.isOpen());
    session.protocol(keyspace.settings().clientOptions().protocol.intValue());
    sessions.put(session.id(), session);
    keyspace.statistics().connectionsReceived++;
    return session;
  }

  /** Creates a session without a client, for scripts or the replay of a log. */
  public Session internal(ClientConnection connection) {
    return new Session(this, 0, connection, keyspace.database(0), users.nobody(), 0);
  }

  /** Removes a session; false if it is unknown. */
  public boolean remove(Session session) {
    if (sessions.remove(session.id()) == null) return false;
    forget(session);
    return true;
  }

  public Collection<Session> sessions() {
    return sessions.values();
  }

  public @Nullable Session session(long id) {
    return sessions.get(id);
  }

  /** The client whose command is running, if commands are watched one by one; or null. */
  public @Nullable Session current() {
    return current;
  }

  public void current(@Nullable Session session) {
    current = session;
  }

  /** Sessions that see every command: MONITOR. */
  public Set<Session> monitors() {
    return monitors;
  }

  public void monitor(Session session, boolean on) {
    if (on) monitors.add(session);
    else monitors.remove(session);
    keyspace.restrictions().set(Restriction.MONITOR, !monitors.isEmpty());
  }

  // Output

  /** The limit of a client's output that it has not read; any thread. */
  public OutputLimits.Limit outputLimit(Session session) {
    return keyspace.settings().clientOptions().outputLimits.value().of(classOf(session));
  }

  private static OutputLimits.ClientClass classOf(Session session) {
    if (!session.isAuthenticated()) return OutputLimits.ClientClass.UNAUTHENTICATED;
    return session.subscriptions().isEmpty()
        ? OutputLimits.ClientClass.NORMAL
        : OutputLimits.ClientClass.PUBSUB;
  }

  /** Closes a client whose output exceeds its limit; any thread. */
  public void closeForOutput(Session session, long size) {
    OutputLimits.Limit limit = outputLimit(session);
    closings.warn(session, "output too long: size=" + size + ", limit=" + limit);
    if (!session.isClosing()) keyspace.statistics().outputLimitCloses.incrementAndGet();
    session.close();
  }

  // Memory

  /** Measures all clients; called from time to time. */
  public void measure() {
    for (Session session : sessions.values()) measure(session);
    memory.clientsMeasured();
  }

  /** Measures a client. */
  public void measure(Session session) {
    forget(session);
    if (!session.isClosing()) memory.addClientBytes(session.memory().measure());
  }

  /** Removes a session that is closed, or about to be, from the account. */
  private void forget(Session session) {
    memory.addClientBytes(-session.memory().forget());
  }

  /** Measures a client after a read or write, and evicts clients if they hold too much in total. */
  public void account(Session session) {
    if (!sessions.containsKey(session.id())) return;
    measure(session);
    evict();
  }

  /** Measures a client that has received messages, if there is a limit; sometimes all clients. */
  void hasMessages(Session session, int length) {
    if (limits.clientsMax.value() != 0) measure(session);
    messageBytesSinceLook += length;
    if (messageBytesSinceLook <= memory.clientStep()) return;
    messageBytesSinceLook = 0;
    measureAndEvict();
  }

  /** Measures all clients, and closes some if they hold more than they may. */
  public void measureAndEvict() {
    measure();
    evict();
  }

  /** Closes the clients that hold most, until the total is within maxmemory-clients. */
  public void evict() {
    long max = limits.clientsMaxBytes();
    if (max > 0 && memory.clientBytes() > max) evict(max, LARGEST_FIRST);
    if (memory.clientsExceedLimit()) evict(memory.clientLimit(), STRANGERS_FIRST);
  }

  private void evict(long max, Comparator<Session> order) {
    List<Session> candidates =
        sessions.values().stream()
            .filter(session -> !session.is(ClientMode.NO_EVICT) && !session.isClosing())
            .filter(session -> !session.isMaster() && !session.isReplica())
            .sorted(order)
            .toList();
    for (Session session : candidates) {
      if (memory.clientBytes() <= max) break;
      keyspace.statistics().evictedClients++;
      closings.warn(session, "clients hold too much: its memory=" + session.memory().bytes());
      session.close();
      forget(session);
    }
  }
}
