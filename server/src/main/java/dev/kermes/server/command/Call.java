package dev.kermes.server.command;

import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.ByteText;
import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.data.Dict;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Frozen;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Value;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Eviction;
import dev.kermes.server.rdb.Dump;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One command being executed: its arguments, its client, the data it may touch, and its reply. A
 * handler sees only these, so that sockets, transactions and tests run the same handlers.
 *
 * <p>Arguments are slices of the caller's array, valid until the handler returns. A method that
 * finds a mistake in them replies the error itself and sets {@link #failed()}; the handler then
 * returns.
 *
 * <p>Reused from command to command; guarded by the keyspace lock.
 */
public final class Call {

  private static final String WRONG_TYPE =
      "WRONGTYPE Operation against a key holding the wrong kind of value";
  private static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
  private static final String NOT_A_FLOAT = "ERR value is not a valid float";

  private final Engine engine;
  private final Execution execution;
  private final RespWriter reply;

  private Session session;
  private @Nullable Session client;
  private Database database;
  private @Nullable CommandSpec spec;
  private byte[] bytes = {};
  private int[] slices = {};
  private int first;
  private int argc;
  private boolean failed;
  private @Nullable CommandSpec whole;

  /** 64 KiB: shorter strings may be HyperLogLogs, which are written to in small steps. */
  private static final int SHORT_STRING_MAX = 64 * 1024;

  private final List<Value> written = new ArrayList<>();
  private @Nullable BlockedClient retry;
  private boolean stillBlocked;
  private boolean unfinished;
  private boolean loggedOtherwise;
  private boolean loggedAlways;

  @SuppressWarnings("NullAway.Init") // the session comes with the first command
  public Call(Engine engine, Execution execution, RespWriter reply) {
    this.engine = engine;
    this.execution = execution;
    this.reply = reply;
  }

  // Storing a reference costs a fence with G1 (until JDK 26), which also stops the processor from
  // loading ahead; a reference that has not changed is therefore not stored again.

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
    if (bytes != array) bytes = array;
    if (slices != argumentSlices) slices = argumentSlices;
    first = firstSlice;
    argc = count;
    failed = false;
    unfinished = false;
    loggedOtherwise = false;
    loggedAlways = false;
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

  public void retry(@Nullable BlockedClient waiting) {
    retry = waiting;
    stillBlocked = false;
  }

  public boolean isStillBlocked() {
    return stillBlocked;
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

  public RespWriter reply() {
    return reply;
  }

  /** Whether the rest of a reply may be left to the connection. */
  public boolean mayReplyLater() {
    return execution.isOutermost(this)
        && session.replies() == Session.Replies.ON
        && !engine.weighsReplies();
  }

  /**
   * Gives up the reply and the client if a reply of that length would exceed the client's output
   * limit; returns whether it did.
   */
  boolean giveUpTooLong(long elements, long elementLengthMin) {
    long bytes = Math.min(elements, Long.MAX_VALUE / elementLengthMin) * elementLengthMin;
    boolean isTooLong = engine.clients().outputLimit(session).isOverHard(bytes);
    if (isFromScript() || !isTooLong) return false;
    session.output().giveUpReply();
    return true;
  }

  /** Passes the rest of the reply to the connection; the beginning has been written. */
  public void replyLater(Frozen rest) {
    session.output().tail(rest);
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

  // Arguments

  /** The number of arguments, including the command's name. */
  public int argc() {
    return argc;
  }

  /** The array that the slices refer to. */
  public byte[] bytes() {
    return bytes;
  }

  public int offset(int i) {
    return slices[first + 2 * i];
  }

  public int length(int i) {
    return slices[first + 2 * i + 1];
  }

  /** A copy of an argument. */
  public byte[] arg(int i) {
    int offset = offset(i);
    return Arrays.copyOfRange(bytes, offset, offset + length(i));
  }

  /** An argument as text, with one character per byte. */
  public String text(int i) {
    return new String(bytes, offset(i), length(i), StandardCharsets.ISO_8859_1);
  }

  /** An argument as UTF-8 text. */
  public String utf8(int i) {
    return new String(bytes, offset(i), length(i), StandardCharsets.UTF_8);
  }

  /**
   * An argument in the form for error messages; bytes that are not UTF-8 are sent back unchanged.
   */
  public String shown(int i) {
    return ByteText.of(bytes, offset(i), length(i));
  }

  /** Whether an argument is the given word, in any case. */
  public boolean is(int i, String upperCaseToken) {
    int length = length(i);
    if (length != upperCaseToken.length()) return false;
    int offset = offset(i);
    for (int j = 0; j < length; j++) {
      int b = bytes[offset + j];
      if (b >= 'a' && b <= 'z') b -= 32;
      if (b != upperCaseToken.charAt(j)) return false;
    }
    return true;
  }

  /** An argument as a signed 64-bit integer. */
  public long integer(int i) {
    return integer(i, NOT_AN_INTEGER);
  }

  public long integer(int i, String errorMessage) {
    if (!Decimals.isLong(bytes, offset(i), length(i))) {
      error(errorMessage);
      return 0;
    }
    return Decimals.parseLong(bytes, offset(i), length(i));
  }

  /** An argument as an integer within bounds. */
  public long integer(int i, long min, long max, String errorMessage) {
    long value = integer(i);
    if (!failed && (value < min || value > max)) error(errorMessage);
    return value;
  }

  /** An argument as a double; {@code nan} is an error. */
  public double decimal(int i) {
    return decimal(i, NOT_A_FLOAT);
  }

  public double decimal(int i, String errorMessage) {
    double value = Numbers.parseDouble(bytes, offset(i), length(i));
    if (Double.isNaN(value)) error(errorMessage);
    return value;
  }

  // Replies

  /** Whether an error was replied. */
  public boolean failed() {
    return failed;
  }

  /** Replies an error; the message begins with its code. */
  public void error(String message) {
    engine.statistics().error(message);
    failed = true;
    reply.error(message);
  }

  /** Replies an error of a script, which may already have been counted during the script. */
  public void scriptError(String message, boolean counts) {
    if (counts) engine.statistics().scriptError(message);
    failed = true;
    reply.error(message);
  }

  public void syntaxError() {
    error("ERR syntax error");
  }

  public void wrongType() {
    error(WRONG_TYPE);
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
    Object slot = database.lookup(bytes, offset(keyArg), length(keyArg));
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
    Object slot = database.lookup(bytes, offset(keyArg), length(keyArg));
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
    int offset = offset(keyArg);
    int length = length(keyArg);
    if (database.lookup(bytes, offset, length) == null) return false;
    database.remove(bytes, offset, length);
    return true;
  }

  /** Deletes the key of a collection that has become empty. */
  public void removeIfEmpty(int keyArg, Value value) {
    if (value.size() > 0) return;
    database.remove(bytes, offset(keyArg), length(keyArg));
    notifyEvent(KeyspaceEvent.GENERIC, "del", keyArg);
  }

  /** Notes one change of a key, for watchers, notifications and save points. */
  public void changed(int keyArg, KeyspaceEvent event, String name) {
    changed(keyArg, event, name, 1);
  }

  public void changed(int keyArg, KeyspaceEvent event, String name, long changes) {
    engine.keyspace().addDirty(changes);
    database.touch(bytes, offset(keyArg), length(keyArg));
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
    database.touch(bytes, offset(keyArg), length(keyArg));
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
      if (value.size() == 0) database.remove(value.key());
      boolean isWhole = value instanceof RawString && value.size() > SHORT_STRING_MAX;
      if (isLogged() && !isWhole) logState(value);
    }
    loggedOtherwise = true;
    error(Eviction.OUT_OF_MEMORY);
  }

  private void logState(Value value) {
    try {
      logAs("DEL", value.key());
      if (!value.isInKeyspace()) return;
      byte[] ttl = PropagatedCommands.ascii(Long.toString(Math.max(0, value.expireAtMillis())));
      byte[] dump = Dump.of(value, nowMillis());
      logAs("RESTORE", value.key(), ttl, dump, PropagatedCommands.ascii("ABSTTL"));
    } catch (OutOfMemoryError e) {
      engine.logHasGap();
    }
  }

  /** The length limit of strings; commands of a write log were checked at their first run. */
  public long stringLengthMax() {
    return engine.keyspace().isReplaying()
        ? Integer.MAX_VALUE - 8
        : engine.settings().clientOptions().bulkLengthMax.value();
  }

  /**
   * Takes the arguments' array away from the connection if the argument fills most of it; false if
   * the array stays with the connection.
   */
  boolean takeInput(int i) {
    return length(i) > bytes.length - bytes.length / 4 && execution.takeInput(bytes);
  }

  // The write log

  /** Whether the write log has a reader, so that it needs entries. */
  public boolean isLogged() {
    return engine.keyspace().log().isRead();
  }

  /** Logs a different command instead, or after those already logged instead. */
  public void logAs(String name, byte[]... arguments) {
    List<byte[]> command = new ArrayList<>(arguments.length + 1);
    command.add(PropagatedCommands.ascii(name));
    Collections.addAll(command, arguments);
    logAs(command);
  }

  public void logAs(List<byte[]> command) {
    loggedOtherwise = true;
    if (isLogged()) engine.keyspace().log().append(database.index(), command);
  }

  /** Logs only the commands passed to {@link #logAs}. */
  public void logNothing() {
    loggedOtherwise = true;
  }

  /** Logs the command even if nothing has changed. */
  public void logAlways() {
    loggedAlways = true;
  }

  /** Logs the message that the command publishes, for replicas only. */
  public void logMessage() {
    if (isLogged())
      engine.keyspace().log().appendMessage(database.index(), bytes, slices, first, argc);
  }

  /** Logs the command if it changed something and the handler has not logged it itself. */
  public void log(boolean hasChanged) {
    if (loggedOtherwise || !hasChanged && !loggedAlways) return;
    CommandSpec command = spec();
    boolean isEffect = command.isWrite() || command.mayReplicate();
    if (isEffect) engine.keyspace().log().append(database.index(), bytes, slices, first, argc);
  }

  // Blocking

  /**
   * Waits until one of the keys gets a value; the handler returns, and runs again then. Inside a
   * transaction a client does not wait, and gets the reply for a timeout.
   */
  public void block(
      int firstKeyArg, int lastKeyArg, double timeoutSeconds, boolean nilArrayOnTimeout) {
    if (isInTransaction()) {
      replyTimeout(reply, nilArrayOnTimeout);
    } else if (retry != null) {
      stillBlocked = true;
    } else {
      StoredCommand command = storedCommand();
      startWaiting(
          keys(firstKeyArg, lastKeyArg), command, timeoutSeconds, nilArrayOnTimeout, false);
    }
  }

  /**
   * Waits like {@link #block} for streams, and then runs another command than this one.
   *
   * @param needsKeys whether to run it also when a key is deleted or changes its type
   * @param wakeAtMillis the latest time to run it; {@link Long#MAX_VALUE} for none
   */
  public void blockOnStreams(
      int firstKeyArg,
      int lastKeyArg,
      double timeoutSeconds,
      StoredCommand command,
      boolean needsKeys,
      long wakeAtMillis) {
    if (isInTransaction()) {
      reply.nilArray();
      return;
    }
    BlockedClient blocked = retry;
    stillBlocked = blocked != null;
    if (blocked == null) {
      List<ByteKey> keys = keys(firstKeyArg, lastKeyArg);
      blocked = startWaiting(keys, command, timeoutSeconds, true, needsKeys);
    }
    if (wakeAtMillis == Long.MAX_VALUE) return;
    long wakeAtNanos = engine.keyspace().clock().nanos() + (wakeAtMillis - nowMillis()) * 1_000_000;
    engine.blockedClients().wakeAt(blocked, wakeAtNanos);
    execution.deadlineAdded(wakeAtNanos);
  }

  /**
   * Waits for acknowledgements of replicas, or for the end of the server, but not for keys. After
   * the timeout the handler runs once more.
   */
  public void blockWithoutKeys(double timeoutSeconds) {
    if (retry != null) stillBlocked = true;
    else startWaiting(List.of(), storedCommand(), timeoutSeconds, false, false);
  }

  /** Whether the wait has timed out. */
  public boolean isOverdue() {
    return retry != null && retry.deadlineNanos() - engine.keyspace().clock().nanos() <= 0;
  }

  /** Whether the handler runs again after a wait. */
  public boolean isRetry() {
    return retry != null;
  }

  private List<ByteKey> keys(int firstKeyArg, int lastKeyArg) {
    List<ByteKey> keys = new ArrayList<>();
    for (int i = firstKeyArg; i <= lastKeyArg; i++) {
      ByteKey key = new ByteKey(arg(i));
      if (!keys.contains(key)) keys.add(key);
    }
    return keys;
  }

  /** This command, to be run again later. */
  public StoredCommand storedCommand() {
    return StoredCommand.of(spec(), bytes, slices, first, argc);
  }

  private BlockedClient startWaiting(
      List<ByteKey> keys,
      StoredCommand command,
      double timeoutSeconds,
      boolean nilArray,
      boolean needsKeys) {
    long deadline = timeoutSeconds == 0 ? Long.MAX_VALUE : deadline(timeoutSeconds);
    BlockedClient blocked =
        new BlockedClient(session, database, keys, command, deadline, nilArray, needsKeys);
    engine.blockedClients().add(blocked);
    execution.deadlineAdded(deadline);
    return blocked;
  }

  private long deadline(double timeoutSeconds) {
    double nanos = timeoutSeconds * 1e9;
    return nanos > Long.MAX_VALUE / 4.0
        ? Long.MAX_VALUE
        : engine.keyspace().clock().nanos() + (long) Math.ceil(nanos);
  }

  public static void replyTimeout(RespWriter reply, boolean nilArray) {
    if (nilArray) reply.nilArray();
    else reply.nil();
  }

  /** The table of the database, for commands that walk it. */
  public Dict keys() {
    return database.keys();
  }
}
