package dev.kermes.server.command;

import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Eviction;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One command being executed: its arguments, its client, the data it may touch, and its reply. A
 * handler sees only these, so that sockets, transactions and tests run the same handlers. Its
 * {@link #log()} says what replicas and the append only file get, its {@link #waiting()} blocks the
 * client.
 *
 * <p>Reused from command to command; guarded by the keyspace lock.
 */
public final class Call extends ArgumentList {

  private final Engine engine;
  private final Execution execution;
  private final CallLog log;
  private final CallWait waiting;

  private Session session;
  private @Nullable Session client;
  private Database database;
  private @Nullable CommandSpec spec;
  private @Nullable CommandSpec whole;

  /** 64 KiB: shorter strings may be HyperLogLogs, which are written to in small steps. */
  private static final int SHORT_STRING_MAX = 64 * 1024;

  private final List<Value> written = new ArrayList<>();
  private boolean unfinished;

  @SuppressWarnings("NullAway.Init") // the session comes with the first command
  public Call(Engine engine, Execution execution, RespWriter reply) {
    super(engine.statistics(), reply);
    this.engine = engine;
    this.execution = execution;
    log = new CallLog(this, engine.keyspace().log());
    waiting = new CallWait(this, engine);
  }

  public void session(Session caller) {
    if (session != caller) session = caller;
    useDatabaseOf(caller);
  }

  private void useDatabaseOf(Session caller) {
    Database selected = caller.database();
    if (database != selected) database = selected;
  }

  /** Sets the client whose script makes this call. */
  public void client(Session caller) {
    client = caller;
  }

  public boolean isFromScript() {
    return client != null;
  }

  /** The client for which the command runs; the session of a script is a different one. */
  public Session client() {
    return client == null ? session : client;
  }

  public void load(
      CommandSpec command, byte[] array, int[] argumentSlices, int firstSlice, int count) {
    if (spec != command) spec = command;
    arguments(array, argumentSlices, firstSlice, count);
    unfinished = false;
    log.begin();
    useDatabaseOf(session);
  }

  /** Loads a command that has waited: for EXEC, for a key, or for a script. */
  public void load(StoredCommand stored) {
    load(stored.spec(), stored.bytes(), stored.slices(), 0, stored.argumentCount());
  }

  /** Marks the call as a command that will reply later. */
  public void unfinished() {
    unfinished = true;
  }

  public boolean isUnfinished() {
    return unfinished;
  }

  /** Sets the command sent by the client that contains this one: EXEC, or a script. */
  public void partOf(@Nullable CommandSpec sent) {
    whole = sent;
  }

  /** The command sent by the client, which may contain this one. */
  public CommandSpec sent() {
    return whole == null ? spec() : whole;
  }

  /** Whether it is part of another command, so that it may not wait. */
  public boolean isInTransaction() {
    return whole != null;
  }

  /** This command, to be run again later. */
  public StoredCommand storedCommand() {
    return StoredCommand.of(spec(), bytes(), slices(), first(), argc());
  }

  // Parts

  /** The effects for replicas and the append only file. */
  public CallLog log() {
    return log;
  }

  /** The wait of its client. */
  public CallWait waiting() {
    return waiting;
  }

  // Context

  public Engine engine() {
    return engine;
  }

  public Session session() {
    return session;
  }

  public Database database() {
    return database;
  }

  public CommandSpec spec() {
    if (spec == null) throw new AssertionError("no command loaded");
    return spec;
  }

  public Execution execution() {
    return execution;
  }

  public EncodingLimits limits() {
    return engine.settings().encodingOptions().limits();
  }

  public long hashSeed() {
    return engine.keyspace().hashSeed();
  }

  public RandomGenerator random() {
    return engine.keyspace().random();
  }

  public long nowMillis() {
    return engine.keyspace().nowMillis();
  }

  /** The time at which fields of hashes count as expired for this client. */
  public long fieldTime() {
    return engine.keyspace().seesDue() ? RedisHash.WITH_DUE : engine.keyspace().nowMillis();
  }

  // Keyspace

  /** The slot of a key for reading: a string's record, a value, or null. Counts a hit or miss. */
  public @Nullable Object readSlot(int keyArg) {
    Object slot = existing(keyArg);
    if (slot != null && !session.is(ClientMode.NO_TOUCH)) engine.keyspace().lruClock().read(slot);
    return slot;
  }

  /** The same without noting a use of the key. */
  public @Nullable Object existing(int keyArg) {
    Object slot = database.lookup(bytes(), offset(keyArg), length(keyArg));
    if (slot == null) {
      engine.statistics().keyspaceMisses++;
      notifyEvent(KeyspaceEvent.KEY_MISS, "keymiss", keyArg);
    } else {
      engine.statistics().keyspaceHits++;
    }
    return slot;
  }

  /** The slot of a key to change. */
  public @Nullable Object writeSlot(int keyArg) {
    Object slot = database.lookup(bytes(), offset(keyArg), length(keyArg));
    if (slot == null) return null;
    database.beforeChange(slot);
    if (!session.is(ClientMode.NO_TOUCH)) engine.keyspace().lruClock().written(slot);
    if (slot instanceof Value value) written.add(value);
    return slot;
  }

  /**
   * The value of a key for reading; null if absent, or of another type after replying WRONGTYPE.
   */
  public <T extends Value> @Nullable T read(int keyArg, Class<T> type) {
    return cast(readSlot(keyArg), type);
  }

  /** The value of a key to change; null if absent, or of another type after replying WRONGTYPE. */
  public <T extends Value> @Nullable T write(int keyArg, Class<T> type) {
    return cast(writeSlot(keyArg), type);
  }

  private <T extends Value> @Nullable T cast(@Nullable Object slot, Class<T> type) {
    if (slot == null || type.isInstance(slot)) return type.cast(slot);
    wrongType();
    return null;
  }

  /** Stores a new value under a key, replacing the old one. */
  public void create(int keyArg, Value fresh) {
    create(arg(keyArg), fresh);
  }

  public void create(byte[] key, Value fresh) {
    fresh.key(key);
    fresh.access(engine.keyspace().lruClock().fresh());
    database.put(fresh);
    written.add(fresh);
  }

  /** Deletes a key without a reply; returns whether it existed. */
  public boolean delete(int keyArg) {
    Slice key = slice(keyArg);
    return database.lookup(key) != null && database.remove(key);
  }

  /** Deletes the key of a collection that has become empty. */
  public void removeIfEmpty(int keyArg, Value value) {
    if (value.size() > 0) return;
    boolean unused = database.remove(slice(keyArg));
    notifyEvent(KeyspaceEvent.GENERIC, "del", keyArg);
  }

  /** Notes one change of a key, for watchers, notifications and save points. */
  public void changed(int keyArg, KeyspaceEvent event, String name) {
    changed(keyArg, event, name, 1);
  }

  public void changed(int keyArg, KeyspaceEvent event, String name, long changes) {
    engine.keyspace().addDirty(changes);
    database.touch(bytes(), offset(keyArg), length(keyArg));
    notifyEvent(event, name, keyArg);
  }

  /**
   * Notes changes of a consumer group's data, as opposed to the entries of its stream. They need to
   * be saved, but do not abort transactions that watch the key.
   */
  public void groupChanged(long changes) {
    engine.keyspace().addDirty(changes);
  }

  /** Aborts transactions that watch a key, without counting a change. */
  public void touchWatchers(int keyArg) {
    database.touch(bytes(), offset(keyArg), length(keyArg));
  }

  /** Wakes clients that wait for an existing key, so that they check it again. */
  public void markReady(int keyArg) {
    if (database.hasWaiting()) database.markReady(arg(keyArg));
  }

  /** Publishes a notification without counting a change. */
  public void notifyEvent(KeyspaceEvent event, String name, int keyArg) {
    if (engine.settings().keyspaceOptions().notifications.intValue() == 0) return;
    engine.notifications().notify(event, name, arg(keyArg), database);
  }

  /** Updates the memory account with the values that the handler may have changed. */
  public void settleMemory() {
    if (written.isEmpty()) return;
    for (Value value : written) database.account(value);
    written.clear();
  }

  /**
   * Replies that memory ran out, and cleans up: deletes a value that the command has just created
   * and that is still empty. A collection may have received some of its elements; its present state
   * is sent to replicas and the append only file. Long strings are changed completely or not at
   * all.
   */
  public void ranOutOfMemory() {
    for (Value value : written) {
      if (!value.isInKeyspace()) continue;
      if (value.size() == 0) {
        boolean unused = database.remove(Slice.of(value.key()));
      }
      boolean isWhole = value instanceof RawString && value.size() > SHORT_STRING_MAX;
      if (log.isRead() && !isWhole) log.state(value);
    }
    log.nothing();
    error(Eviction.OUT_OF_MEMORY);
  }
}
