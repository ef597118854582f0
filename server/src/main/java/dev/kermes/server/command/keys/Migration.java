package dev.kermes.server.command.keys;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Execution;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.Value;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.migrate.TargetConnection;
import dev.kermes.server.migrate.TargetConnections;
import dev.kermes.server.migrate.TargetException;
import dev.kermes.server.rdb.Dump;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running MIGRATE. Redis serves no client during that time; here only the caller waits, and a
 * separate thread talks to the target.
 *
 * <pre>
 *   keyspaceLock: dump keys -> RESTORE on the target -> keyspaceLock: delete sent keys -> reply
 *             ^                                              |
 *             +------- keys that have changed ---------------+
 * </pre>
 *
 * A key is deleted here only if it is unchanged since it was sent. Otherwise it is sent again, over
 * the old value, while a pause holds back all writes, so that the process ends. No write is lost,
 * and no write applies to a key that is elsewhere. Everything except {@link #send} is guarded by
 * the keyspace lock.
 */
final class Migration implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Migration.class);

  private static final String CONNECT_ERROR = "IOERR error or timeout connecting to the client";
  private static final String WRITE_ERROR = "IOERR error or timeout writing to target instance";
  private static final String READ_ERROR = "IOERR error or timeout reading to target instance";

  /** 64 KiB: the size of one write. */
  private static final int CHUNK = 1 << 16;

  /** 1 ms: the wait while a script or a pause blocks the data. */
  private static final long RETRY_NANOS = 1_000_000;

  /** A key to send; one that is not there was deleted here and must be deleted on the target. */
  private static final class Item {
    final int argument;
    final boolean isThere;

    /** The value; null for a string's record, whose bytes say enough. */
    final @Nullable Value value;

    final byte[] dump;
    final long expireAtMillis;
    final byte[] command;
    final int replies;
    boolean isTaken;

    Item(
        int argument,
        @Nullable Object slot,
        byte[] dump,
        long expireAtMillis,
        byte[] command,
        int replies) {
      this.argument = argument;
      isThere = slot != null;
      value = slot instanceof Value present ? present : null;
      this.dump = dump;
      this.expireAtMillis = expireAtMillis;
      this.command = command;
      this.replies = replies;
    }

    /** Whether a slot is unchanged since it was sent. */
    boolean isStill(@Nullable Object present, long nowMillis) {
      if (present == null || !isThere) return present == null && !isThere;
      return (value == null || present == value)
          && Database.expiryOf(present) == expireAtMillis
          && Arrays.equals(Dump.of(present, nowMillis), dump);
    }
  }

  private final Engine engine;
  private final Execution execution;
  private final MigrateOptions options;
  private final Session caller;
  private final StoredCommand command;
  private final boolean isWanted;
  private final long startNanos;
  private final RespWriter reply = new RespWriter(256);
  private final Call late;
  private List<Item> round = new ArrayList<>();
  private @Nullable String failure;
  private int moved;
  private boolean isPausing;

  /** Whether the target was lost on the way, so that it is unknown which keys it has. */
  private boolean isLost;

  private Migration(Call call, MigrateOptions options) {
    engine = call.engine();
    execution = call.execution();
    this.options = options;
    caller = call.session();
    command = call.storedCommand();
    isWanted = caller.replies() == Session.Replies.ON;
    startNanos = engine.keyspace().clock().nanos();
    late = new Call(engine, execution, reply);
  }

  /** Begins to move the keys of a MIGRATE, which replies at the end; replies NOKEY without keys. */
  static void start(Call call, MigrateOptions options) {
    Migration migration = new Migration(call, options);
    for (int argument : options.keys(call).values()) {
      Object slot = call.readSlot(argument);
      if (slot != null) migration.add(call, argument, slot, options.replaces());
    }
    if (migration.round.isEmpty()) {
      call.reply().simple("NOKEY");
      return;
    }
    call.unfinished();
    call.session().output().beginLateReply();
    Thread.ofPlatform().daemon().name("kermes-migrate").start(migration);
  }

  /** Adds a key to the next round; without a slot, its deletion. */
  private void add(Call call, int argument, @Nullable Object slot, boolean replaces) {
    RespWriter out = new RespWriter(64);
    byte[] key = call.arg(argument);
    boolean isInCluster = engine.cluster() != null; // then the target may not own the hash slot yet
    if (slot == null) {
      if (isInCluster) {
        out.array(1);
        out.bulk("ASKING");
      }
      out.array(2);
      out.bulk("DEL");
      out.bulk(key);
      int replies = isInCluster ? 2 : 1;
      round.add(new Item(argument, null, new byte[0], Value.NEVER, out.toByteArray(), replies));
      return;
    }
    byte[] dump = Dump.of(slot, call.nowMillis());
    long expireAtMillis = Database.expiryOf(slot);
    long ttl = expireAtMillis == Value.NEVER ? 0 : Math.max(1, expireAtMillis - call.nowMillis());
    out.array(replaces ? 5 : 4);
    out.bulk(isInCluster ? "RESTORE-ASKING" : "RESTORE");
    out.bulk(key);
    out.bulk(ttl);
    out.bulk(dump);
    if (replaces) out.bulk("REPLACE");
    round.add(new Item(argument, slot, dump, expireAtMillis, out.toByteArray(), 1));
  }

  @Override
  public void run() {
    try {
      do exchange();
      while (!settle());
    } catch (RuntimeException e) {
      if (engine.targets().isClosed()) return; // the server has ended
      LOG.error("internal error: command=MIGRATE", e);
      failed("ERR internal error: " + e.getClass().getSimpleName());
      withKeyspaceLock(this::finish);
    }
  }

  private void failed(String error) {
    if (failure == null) failure = error;
  }

  // Without the keyspace lock: the conversation with the target

  /** Sends the round and reads the target's replies. */
  private void exchange() {
    TargetConnections connections = engine.targets();
    TargetConnection kept = connections.take(options.target());
    try {
      if (kept != null && exchange(kept, false)) return;
      boolean unused = exchange(connections.open(options.target(), options.timeoutMillis()), true);
    } catch (IOException e) {
      lost(isUnreachable(e) ? CONNECT_ERROR : WRITE_ERROR);
    }
  }

  /** Whether no answer came; Redis notices a refused connection only when it writes. */
  private static boolean isUnreachable(IOException e) {
    return e instanceof SocketTimeoutException || e instanceof UnknownHostException;
  }

  private void lost(String error) {
    isLost = true;
    failed(error);
  }

  /**
   * Does the same over one connection; false if it is a kept connection that the target has closed
   * since.
   */
  private boolean exchange(TargetConnection connection, boolean isNew) {
    String error = READ_ERROR;
    try {
      connection.timeout(options.timeoutMillis());
      if (isNew) connection.authenticate(options.target());
      connection.select(options.database());
      error = WRITE_ERROR;
      send(connection);
      error = READ_ERROR;
      hear(connection);
      engine.targets().giveBack(options.target(), connection);
    } catch (TargetException e) {
      engine.targets().close(connection);
      refused(e.error());
    } catch (IOException e) {
      engine.targets().close(connection);
      boolean isStale = !isNew && !(e instanceof SocketTimeoutException) && takenCount() == 0;
      if (isStale) return false;
      lost(error);
    }
    return true;
  }

  private void refused(String error) {
    failed("ERR Target instance replied with error: " + error);
  }

  private void send(TargetConnection connection) throws IOException {
    RespWriter out = new RespWriter(CHUNK);
    for (Item each : round) {
      out.raw(each.command);
      if (out.size() < CHUNK) continue;
      connection.write(out.toByteArray());
      out.clear(CHUNK);
    }
    connection.write(out.toByteArray());
  }

  private void hear(TargetConnection connection) throws IOException {
    for (Item each : round) {
      String reply = connection.readLine();
      for (int i = 1; i < each.replies; i++) reply = connection.readLine();
      each.isTaken = !reply.startsWith("-");
      if (!each.isTaken) refused(reply.substring(1));
    }
  }

  private long takenCount() {
    return round.stream().filter(each -> each.isTaken).count();
  }

  // With the keyspace lock: the keys here

  /** Deletes the keys that the target has accepted; false if some must be sent again. */
  private boolean settle() {
    boolean[] isDone = new boolean[1];
    withKeyspaceLock(() -> isDone[0] = settleNow());
    return isDone[0];
  }

  /** Runs work with the keyspace lock, once neither a script nor a pause blocks the data. */
  private void withKeyspaceLock(Runnable work) {
    boolean[] hasRun = new boolean[1];
    while (true) {
      engine.keyspace().withLock(() -> hasRun[0] = runUnlessHeld(work));
      if (hasRun[0]) return;
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private boolean runUnlessHeld(Runnable work) {
    engine.keyspace().readClock();
    boolean mustWait =
        engine.suspended() != null || engine.pause().isOnBesides(Pause.Reason.MIGRATE);
    if (mustWait && !engine.targets().isClosed()) return false;
    engine.clients().current(caller);
    work.run();
    engine.clients().current(null);
    if (engine.tracking().isActive()) engine.tracking().endTurn();
    return true;
  }

  private boolean settleNow() {
    late.session(caller);
    late.load(command);
    List<Item> sent = round;
    round = new ArrayList<>();
    if (options.copies()) moved += (int) sent.stream().filter(each -> each.isTaken).count();
    else removeTaken(sent);
    if (round.isEmpty() || isLost) {
      finish();
      return true;
    }
    engine.pause().begin(Pause.Reason.MIGRATE, Long.MAX_VALUE, false);
    isPausing = true;
    return false;
  }

  private void removeTaken(List<Item> sent) {
    String noWrites = engine.replication().whyNoWrites();
    if (noWrites == null) noWrites = engine.fileError();
    if (noWrites != null) {
      failed(noWrites);
      return;
    }
    List<byte[]> deletion = new ArrayList<>(List.of(PropagatedCommands.ascii("DEL")));
    for (Item each : sent) {
      if (!each.isTaken) continue;
      byte[] key = late.arg(each.argument);
      Object slot = late.database().lookup(key);
      if (!each.isStill(slot, engine.keyspace().nowMillis())) {
        add(late, each.argument, slot, true);
      } else if (slot != null) {
        boolean unused = late.delete(each.argument);
        late.changed(each.argument, KeyspaceEvent.GENERIC, "del");
        deletion.add(key);
        moved++;
      }
    }
    if (deletion.size() > 1) late.log().instead(deletion);
  }

  private void finish() {
    reply.clear(CHUNK);
    reply.protocol(caller.protocol());
    if (failure != null) late.error(failure);
    else if (moved == 0) reply.simple("NOKEY");
    else reply.ok();
    execution.finishedLate(late, engine.keyspace().clock().nanos() - startNanos);
    if (isPausing) engine.pause().end(Pause.Reason.MIGRATE);
    execution.endLate(caller, isWanted ? reply.toByteArray() : new byte[0]);
  }
}
