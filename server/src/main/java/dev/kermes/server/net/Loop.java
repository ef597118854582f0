package dev.kermes.server.net;

import dev.kermes.commands.CommandTable;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespLimits;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.Session;
import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.data.Frozen;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.execution.CommandExecutor;
import dev.kermes.server.keyspace.KeyspaceLock;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.replication.ByteChain;
import dev.kermes.server.replication.Replica;
import dev.kermes.server.stats.LoopStatistics;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's share of the work. It parses the input of a read, takes the keyspace lock,
 * executes, releases the keyspace lock, and writes.
 *
 * <pre>
 *   read -> parse ->| keyspaceLock: execute the turn |-> copy large values -> one write and flush
 * </pre>
 *
 * The loop owns the buffers, which connections use in turn; a connection has one of its own only
 * while it has unfinished input. Owned by its event loop's thread.
 */
final class Loop implements LoopStatistics {

  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

  /**
   * The most commands of one turn; a deeper pipeline releases the keyspace lock and waits its turn.
   */
  private static final int TURN_COMMANDS_MAX = 512;

  /** Slow commands end a turn after this time, so that other threads get the keyspace lock. */
  private static final long TURN_NANOS_MAX = 500_000;

  /** 256 KiB of replies end a turn, since they are copied into one buffer. */
  private static final int TURN_OUTPUT_MAX = 256 * 1024;

  /** 32 KiB: a piece of a long reply; two of them fill what a socket takes at once. */
  private static final int PIECE_LENGTH = 32 * 1024;

  /** Larger buffers of input are not kept for reuse. */
  private static final int BUFFER_KEPT = 256 * 1024;

  /**
   * 2 MiB: a larger buffer of output is not kept for reuse. A turn's output exceeds {@link
   * #TURN_OUTPUT_MAX} by its last reply, of 1 MB for instance, and growing to that again in each
   * turn costs as much as the replies.
   */
  private static final int OUTPUT_KEPT = 2 * 1024 * 1024;

  /**
   * 64 KiB: with more unexecuted input than this, a connection is not read, and takes turns with
   * the others. The kernel's buffers then fill, and the client waits.
   */
  private static final int UNRUN_MAX = 64 * 1024;

  /**
   * 64: the number of reads per second that look for the end of clients that are not read, 4 MiB of
   * input at most. A few such clients share these reads; many take turns.
   */
  private static final int LOOKS = 64;

  /** The limits for a master's commands: a replica must take what its master has accepted. */
  private static final RespLimits OF_MASTER =
      RespLimits.DEFAULT.withBulkLengthMax(Integer.MAX_VALUE);

  /** 16 KiB: less unfinished input than this is copied, to free a buffer of 64 KiB. */
  private static final int COPIED_MAX = 16 * 1024;

  /** 16 KiB: with more pending output than this, a client counts as not reading. */
  private static final int SLOW_OUTPUT = 16 * 1024;

  private final Engine engine;
  private final KeyspaceLock keyspaceLock;
  private final RespWriter out = new RespWriter(64 * 1024);
  private final CommandExecutor executor;
  private final Lookahead lookahead = new Lookahead(TURN_COMMANDS_MAX);
  private final SpareReaders spares = new SpareReaders(BUFFER_KEPT);
  private RequestReader shared = spares.take();

  /** Connections whose replies wait for the append only file. */
  private final Set<Connection> unflushed = new LinkedHashSet<>();

  /** Connections that are not read; the last one checked for its end comes last. */
  private final Set<Connection> unread = new LinkedHashSet<>();

  private long tailBytes;

  /** Bytes of input held for clients since all clients were last measured. */
  private long heldBytes;

  private long turns;
  private long commands;
  private int connections;

  Loop(Engine engine, CommandTable table, LongConsumer deadlines) {
    this.engine = engine;
    keyspaceLock = engine.keyspace().lock();
    executor = new CommandExecutor(engine, table, out, deadlines);
  }

  CommandExecutor executor() {
    return executor;
  }

  @Override
  public long turns() {
    return turns;
  }

  @Override
  public long commands() {
    return commands;
  }

  @Override
  public int connections() {
    return connections;
  }

  // Sessions

  @Nullable Session open(Connection connection) {
    String refusal = null;
    Session session = null;
    keyspaceLock.lock();
    long taken = engine.keyspace().clock().nanos();
    try {
      refusal = whyRefused(connection);
      if (refusal == null) session = engine.clients().open(connection);
      else engine.statistics().connectionsRejected++;
      if (session != null) connections++;
    } finally {
      keyspaceLock.unlock(engine.keyspace().clock().nanos() - taken);
    }
    if (refusal != null) {
      out.clear(OUTPUT_KEPT);
      out.error(refusal);
      write(connection);
      closeAfterOutput(connection);
    }
    return session;
  }

  /** Logs a client in after it has shown a certificate. */
  void identified(Session session, X509Certificate certificate) {
    engine.keyspace().withLock(() -> CertificateLogin.logIn(engine, session, certificate));
  }

  /** Opens the session of a connection to the master, whose stream of writes begins now. */
  Session openMaster(Connection connection) {
    keyspaceLock.lock();
    long taken = engine.keyspace().clock().nanos();
    try {
      engine.keyspace().readClock();
      Session session = engine.clients().open(connection);
      engine.replication().masterStream().begins(session);
      connections++;
      return session;
    } finally {
      keyspaceLock.unlock(engine.keyspace().clock().nanos() - taken);
    }
  }

  private @Nullable String whyRefused(Connection connection) {
    if (engine.clients().sessions().size() >= engine.settings().clientOptions().max.intValue()
        || engine.admission().isOver()) {
      return "ERR max number of clients reached";
    }
    boolean needsNoPassword = engine.acl().users().defaultUser().needsNoPassword();
    boolean isForThisMachineOnly =
        engine.settings().networkOptions().protectedMode.isOn() && needsNoPassword;
    if (isForThisMachineOnly && !connection.isFromThisMachine()) {
      return "DENIED Kermes is running in protected mode and no password is set: only connections"
          + " from this machine are accepted. Set requirepass, or protected-mode no.";
    }
    return null;
  }

  void close(Session session) {
    engine
        .keyspace()
        .withLock(() -> {
          engine.close(session);
          connections--;
        });
  }

  // Input

  void input(Connection connection, Session session, ByteBuf input) {
    RequestReader own = unfinished(connection);
    RequestReader reader = own == null ? shared : own;
    int length = input.readableBytes();
    byte[] room = roomFor(length, connection, session, reader);
    if (room == null) return;
    input.readBytes(room, reader.end(), length);
    reader.advance(length);
    connection.received(length);
    long inputMax = engine.settings().clientOptions().queryMax.value();
    boolean isMeasured = own != null && !session.isMaster(); // accept what the master accepted
    if (isMeasured && reader.size() > inputMax) {
      engine
          .clients()
          .closings()
          .warn(session, "input too long: size=" + reader.size() + ", max=" + inputMax);
      engine.statistics().inputLimitCloses.incrementAndGet();
      connection.closeNow();
      return;
    }
    // io_uring delivers far more than was asked for; a connection has one turn a round.
    if (reader == own && connection.isWoken()) connection.reads(own.size() <= UNRUN_MAX);
    else run(connection, session, reader);
    if (connection.reader() != null) {
      heldBytes += length;
      connection.looksOn();
    }
    account(connection, session);
  }

  Set<Connection> unread() {
    return unread;
  }

  /** Looks, once a second, for clients that have left while they were not read. */
  void lookForEnds() {
    if (unread.isEmpty()) return;
    int each = Math.max(1, LOOKS / unread.size());
    List<Connection> next = unread.stream().limit(LOOKS).toList();
    unread.removeAll(next);
    unread.addAll(next);
    for (Connection connection : next) connection.looksForEnd(each);
  }

  /**
   * The connection's own buffer, or null. If its content is small, it moves to the loop's buffer,
   * so that further input needs no extra memory.
   */
  private @Nullable RequestReader unfinished(Connection connection) {
    RequestReader own = connection.reader();
    if (own == null || own.size() > COPIED_MAX || connection.isWoken()) return own;
    own.moveTo(shared);
    connection.reader(null);
    spares.give(own);
    return null;
  }

  /** Makes room for input. Without memory, drops earlier input to save the loop, and closes. */
  private byte @Nullable [] roomFor(
      int length, Connection connection, Session session, RequestReader reader) {
    try {
      return reader.reserve(length);
    } catch (OutOfMemoryError e) {
      discard(connection, reader);
      connection.closeNow();
      engine.clients().closings().warn(session, "no memory for its input: size=" + length);
      return null;
    }
  }

  /** Writes messages that other threads queued for a session, and resumes its input if allowed. */
  void resume(Connection connection, Session session) {
    if (connection.isClosing()) return;
    out.clear(OUTPUT_KEPT);
    if (session.output().tail() != null) writePiece(connection, session, session.output().tail());
    if (session.output().tail() != null) return;
    Replica replica = Replica.find(session);
    ByteChain.Cursor cursor = replica == null ? null : replica.cursor();
    takeMessages(session);
    write(connection);
    if (replica != null && cursor != null) writeStream(connection, replica, cursor);
    connection.enforceOutputLimit(engine);
    RequestReader reader = connection.reader();
    if (session.isClosing() && !connection.isClosing()) close(connection);
    else if (reader != null) run(connection, session, reader);
    account(connection, session);
  }

  /**
   * Accounts for what a client's buffers hold now, if clients have a limit, or if there is a limit
   * for everything and the client holds input. Measures all clients each time they may hold
   * significantly more than before. The clock work measures the others.
   */
  private void account(Connection connection, Session session) {
    MemoryOptions limits = engine.settings().memoryOptions();
    if (heldBytes > engine.keyspace().memory().clientStep()) {
      heldBytes = 0;
      engine.keyspace().withLock(engine.clients()::measureAndEvict);
      unread.forEach(Connection::dropInputIfClosing);
    }
    boolean matters = limits.max.value() > 0 && connection.reader() != null;
    if (limits.clientsMax.value() == 0 && !matters) return;
    keyspaceLock.lock();
    long taken = engine.keyspace().clock().nanos();
    try {
      engine.clients().account(session);
    } finally {
      keyspaceLock.unlock(engine.keyspace().clock().nanos() - taken);
    }
  }

  /** Writes a piece of a long reply if the connection takes it; the rest follows later. */
  private void writePiece(Connection connection, Session session, Frozen tail) {
    if (!session.isClosing()) {
      if (!connection.isWritable()) return; // it wakes when it becomes writable
      out.protocol(session.protocol());
      boolean hasMore = tail.write(out, PIECE_LENGTH);
      tailBytes += out.length();
      write(connection);
      connection.wake();
      if (hasMore) return;
    }
    session.output().tail(null);
  }

  /**
   * Writes the stream to a replica as far as the connection takes it. A replica that is being
   * closed gets no more: the bytes just read may belong to a replication id that it has not been
   * told about.
   */
  private void writeStream(Connection connection, Replica replica, ByteChain.Cursor cursor) {
    boolean hasMore = true;
    while (hasMore && connection.isWritable()) {
      hasMore = cursor.read(out, PIECE_LENGTH);
      if (replica.session().isClosing()) {
        out.clear(OUTPUT_KEPT);
        return;
      }
      tailBytes += out.length();
      engine.statistics().replicationOutputBytes.addAndGet(out.length());
      write(connection);
    }
    if (!hasMore && replica.hasReadFullSync()) fullSyncSent(replica);
  }

  private void fullSyncSent(Replica replica) {
    engine
        .keyspace()
        .withLock(() -> {
          engine.keyspace().readClock();
          engine.replication().replicas().fullSyncSent(replica);
        });
  }

  private void run(Connection connection, Session session, RequestReader reader) {
    out.clear(OUTPUT_KEPT);
    out.protocol(session.protocol());
    boolean isSound = false;
    boolean goesOn = true;
    try {
      if (!session.isStopped() && !connection.waitsForReader()) {
        parse(session, reader);
        if (reader.hasNext()) goesOn = turn(connection, session, reader);
      }
      finish(connection, session, reader, goesOn);
      isSound = true;
    } finally {
      if (!isSound) discard(connection, reader);
    }
  }

  private void parse(Session session, RequestReader reader) {
    if (reader.hasNext()) return;
    reader.release();
    if (session.isMaster()) {
      reader.parse(OF_MASTER, TURN_COMMANDS_MAX);
    } else if (session.isAuthenticated()) {
      reader.parse(limits(), TURN_COMMANDS_MAX);
    } else {
      // One at a time: a login lifts the limits for the commands after it.
      reader.parse(RespLimits.UNAUTHENTICATED, 1);
    }
  }

  private RespLimits limits() {
    long bulkLengthMax = engine.settings().clientOptions().bulkLengthMax.value();
    RespLimits standard = RespLimits.DEFAULT;
    return bulkLengthMax == standard.bulkLengthMax()
        ? standard
        : standard.withBulkLengthMax(bulkLengthMax);
  }

  /**
   * Executes the parsed commands under the keyspace lock; false if the rest has to wait for a
   * wake-up.
   */
  private boolean turn(Connection connection, Session session, RequestReader reader) {
    boolean goesOn = true;
    int before = reader.remaining();
    lookahead.touch(reader, session.database().keys());
    keyspaceLock.lock();
    long taken = engine.keyspace().clock().nanos();
    try {
      engine.keyspace().readClock();
      engine.activeExpiry().beginTurn();
      executor.beginTurn(taken, reader);
      long logged = engine.appendOnly().logOffset();
      takeMessages(session);
      boolean isMaster = session.isMaster();
      do {
        goesOn = !isMaster || engine.suspended() == null; // its commands can only wait
        if (!goesOn) break;
        int command = reader.next();
        if (isMaster) {
          replay(session, reader, command);
          continue;
        }
        boolean isReplica = session.isReplica();
        int mark = out.size();
        executor.execute(
            session,
            reader.bytes(),
            reader.slices(),
            reader.firstSlice(command),
            reader.argumentCount(command));
        if (isReplica && out.size() > mark) dropReply(session, reader, command, mark);
        if (session.isPaused()) reader.putBack();
        if (session.isStopped() || executor.slowNanos() > TURN_NANOS_MAX) break;
        if (out.length() > TURN_OUTPUT_MAX) break;
      } while (reader.hasNext());
      session.output().noteLogged(logged, engine.appendOnly().logOffset());
      int executed = before - reader.remaining();
      long inputLength = connection.takeReceived();
      engine.statistics().commands += executed;
      engine.statistics().inputBytes += inputLength;
      engine.keyspace().memory().came(inputLength);
      if (isMaster) engine.statistics().replicationInputBytes += inputLength;
      engine.statistics().outputBytes += out.length() + tailBytes;
      tailBytes = 0;
      session.info().lastCommand(executor.lastCommand());
      session.info().noteActivity(engine.keyspace().nowMillis(), executed, inputLength);
      commands += executed;
      if (session.transaction() != null) engine.clients().measure(session);
      dropIfTooLong(connection, session);
    } finally {
      long ended = engine.keyspace().clock().nanos();
      executor.endTurn(ended);
      engine.pause().endTurn(session);
      keyspaceLock.unlock(engine.snapshots().walk(engine.activeExpiry().endTurn(ended)) - taken);
    }
    turns++;
    takeMessages(session);
    if (session.isMaster()) commitSoon(connection);
    return goesOn;
  }

  /** Writes the master's commands to the log after this round, since no reply triggers that. */
  private void commitSoon(Connection connection) {
    if (!engine.appendOnly().isOn()) return;
    connection
        .channel()
        .eventLoop()
        .execute(() -> {
          engine.appendOnly().commit(); // no client waits for the result
        });
  }

  /** Runs a command of the master, which expects no reply. */
  private void replay(Session session, RequestReader reader, int command) {
    int mark = out.size();
    executor.replay(
        session,
        reader.bytes(),
        reader.slices(),
        reader.firstSlice(command),
        reader.argumentCount(command));
    String error = firstError(mark);
    if (error != null)
      engine.replication().masterStream().failed(error, executor.name(reader, command));
    out.truncate(mark);
    int start = reader.start(command);
    engine
        .replication()
        .masterStream()
        .applied(session, reader.bytes(), start, reader.end(command) - start);
  }

  /** Closes a replica whose command got a reply, which would end up within the stream. */
  private void dropReply(Session session, RequestReader reader, int command, int mark) {
    String name = executor.name(reader, command);
    String error = firstError(mark);
    if (error != null) {
      LOG.warn(
          "== CRITICAL == This master is sending an error to its replica: '{}' after processing the"
              + " command '{}'",
          error,
          name);
    }
    LOG.warn("Replica generated a reply to command '{}', disconnecting it: {}", name, session);
    out.truncate(mark);
    session.close();
  }

  /** The replied error, or null. */
  private @Nullable String firstError(int mark) {
    if (out.size() == mark || out.bytes()[mark] != '-') return null;
    return new String(out.bytes(), mark + 1, out.size() - mark - 3, StandardCharsets.UTF_8);
  }

  /** Drops the replies of a turn that exceed the client's output limit, and closes the client. */
  private void dropIfTooLong(Connection connection, Session session) {
    boolean isTooLong = engine.clients().outputLimit(session).isOverHard(out.length());
    if (!isTooLong && !session.output().isReplyTooLong()) return;
    engine.clients().closeForOutput(session, out.length());
    out.clear(OUTPUT_KEPT);
    connection.closeNow();
  }

  private void takeMessages(Session session) {
    for (byte[] m = session.output().poll(); m != null; m = session.output().poll()) out.raw(m);
  }

  /** Sends the replies and handles the remaining input. */
  private void finish(
      Connection connection, Session session, RequestReader reader, boolean goesOn) {
    boolean hasMore = reader.hasNext() || reader.mayHaveMore();
    if (reader.hasNext()) out.retain(reader.bytes());
    else reader.release();
    if (session.output().tail() != null && !session.isClosing()) {
      write(connection);
      keepOrReturn(connection, session, reader);
      connection.wake();
      return;
    }
    String error = reader.error();
    if (error != null && !reader.hasNext()) {
      if (session.replies() == Session.Replies.ON) out.error("ERR Protocol error: " + error);
      session.closedBecause("protocol error: " + error);
      write(connection);
      discard(connection, reader);
      closeAfterOutput(connection);
      return;
    }
    write(connection);
    if (session.isClosing()) {
      discard(connection, reader);
      closeAfterOutput(connection);
      return;
    }
    keepOrReturn(connection, session, reader);
    boolean mayGoOn = goesOn && !session.isStopped() && !connection.waitsForReader();
    if (mayGoOn && hasMore) connection.wake();
  }

  /**
   * Leaves a reader with remaining input to its connection, and reuses an empty one. More is read
   * only if that may complete a command, or if little unexecuted input waits.
   */
  private void keepOrReturn(Connection connection, Session session, RequestReader reader) {
    boolean hasToWait = reader.hasNext() || reader.mayHaveMore() || session.isStopped();
    connection.reads(!hasToWait || reader.size() <= UNRUN_MAX);
    if (!reader.isDrained() || reader.error() != null) {
      keep(connection, reader);
    } else if (reader != shared) {
      connection.reader(null);
      spares.give(reader);
    } else if (reader.capacity() > BUFFER_KEPT) {
      replaceShared();
    }
  }

  /** Replaces the shared reader, which has grown long, by one of the usual capacity. */
  private void replaceShared() {
    shared.recycle();
    shared = spares.take();
  }

  /** Leaves input to its connection, in a buffer not much longer than the input. */
  private void keep(Connection connection, RequestReader reader) {
    boolean isRoomy = reader == shared || reader.capacity() > BUFFER_KEPT;
    if (isRoomy && reader.size() <= COPIED_MAX) {
      RequestReader own = spares.make(reader.size());
      reader.moveTo(own);
      connection.reader(own);
      if (reader != shared) reader.recycle();
    } else if (reader == shared) {
      RequestReader fresh = spares.take();
      connection.reader(reader);
      shared = fresh;
    }
  }

  /** Discards remaining input, which the next connection must never see. */
  private void discard(Connection connection, RequestReader reader) {
    reader.clear();
    if (reader != shared) connection.reader(null);
    else if (reader.capacity() > BUFFER_KEPT) replaceShared();
  }

  /** Closes a client that cannot be served for lack of memory. */
  void ranOutOfMemory(Session session, OutOfMemoryError cause) {
    out.clear(OUTPUT_KEPT);
    session.closedBecause("no memory to serve it");
    session.close();
    engine.clients().closings().warn(session, "no memory to serve it: " + cause.getMessage());
  }

  /** Handles an exception that closes a connection. */
  void failed(@Nullable Session session, Throwable cause) {
    if (session != null) session.closedBecause(String.valueOf(cause.getMessage()));
    if (cause instanceof DecoderException && cause.getCause() instanceof SSLException) {
      engine.clients().closings().warn(session, "TLS: " + cause.getCause().getMessage());
    } else if (cause instanceof OutOfMemoryError) {
      engine.clients().closings().warn(session, "no memory to serve it: " + cause.getMessage());
    } else if (!(cause instanceof IOException)) {
      engine.clients().closings().warn(session, cause);
    }
  }

  // Output

  private void close(Connection connection) {
    if (!unflushed.isEmpty()) commit();
    connection.channel().close();
  }

  /** Flushes at the end of this round of the event loop, after the file has been written. */
  private void flushCommitted(Connection connection) {
    if (unflushed.isEmpty()) connection.channel().eventLoop().execute(this::commit);
    unflushed.add(connection);
  }

  /** Does one write, and maybe one sync, for all connections that were served in this round. */
  private void commit() {
    AppendOnly file = engine.appendOnly();
    file.commit();
    List<Connection> written = List.copyOf(unflushed);
    unflushed.clear(); // a flush may let more output be written
    for (Connection each : written) {
      if (file.canAcknowledge(each.loggedOffset())) each.channel().flush();
      else each.closeNow(); // it must not see the replies
    }
  }

  private void closeAfterOutput(Connection connection) {
    if (!unflushed.isEmpty()) commit();
    connection.closeAfterOutput();
  }

  private void write(Connection connection) {
    if (out.length() == 0) return;
    long length = out.length();
    if (connection.leavesUnsent(out)) {
      connection.addUnsent(out, spares);
      sendUnsent(connection);
    } else {
      send(connection, copyOfOutput(connection));
    }
    out.clear(OUTPUT_KEPT);
    if (connection.enforceOutputLimit(engine) > SLOW_OUTPUT) heldBytes += length;
  }

  private ByteBuf copyOfOutput(Connection connection) {
    ByteBuf buffer = connection.newBuffer(Math.toIntExact(out.length()));
    int from = 0;
    for (int i = 0; i < out.sharedCount(); i++) {
      RespWriter.Shared piece = out.shared(i);
      buffer.writeBytes(out.bytes(), from, piece.position() - from);
      buffer.writeBytes(piece.array(), piece.offset(), piece.length());
      if (piece.isLastUse()) spares.give(piece.array());
      from = piece.position();
    }
    return buffer.writeBytes(out.bytes(), from, out.size() - from);
  }

  /** Sends waiting output as far as the socket takes it. */
  void sendUnsent(Connection connection) {
    ByteBuf piece;
    do {
      if (!engine.appendOnly().isOn()) connection.sendUncopied();
      piece = connection.pollUnsent();
      if (piece != null) send(connection, piece);
    } while (piece != null);
    connection.closeIfAllSent();
  }

  private void send(Connection connection, ByteBuf buffer) {
    if (engine.appendOnly().isOn()) {
      connection.channel().write(buffer, connection.channel().voidPromise());
      flushCommitted(connection);
    } else {
      connection.channel().writeAndFlush(buffer, connection.channel().voidPromise());
    }
  }
}
