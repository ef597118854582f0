package dev.kermes.client.internal.connection;

import dev.kermes.client.CredentialsProvider;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.pending.PendingQueue;
import dev.kermes.client.internal.pending.QueuePermits;
import dev.kermes.net.LendableLoop;
import dev.kermes.resp.ProtocolException;
import dev.kermes.resp.ReplyParser;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import dev.kermes.resp.RespLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.local.LocalChannel;
import io.netty.handler.ssl.SslHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One logical connection: a {@link PendingQueue} that any thread appends to, and the physical
 * connection that the event loop drains it into. The queue outlives physical connections.
 *
 * <pre>
 *   NEW --open--> CONNECTING --active--> HANDSHAKE --done--> READY
 *                    ^  |                    |                 |
 *                    |  +------failed--------+------lost-------+
 *                    |                       v
 *                    +--Reconnector--- DISCONNECTED       (only if it reconnects)
 *
 *   any state --close(), or lost without reconnecting--> CLOSED     (final)
 * </pre>
 *
 * <p><b>Sending.</b> A caller acquires queue permits, appends its command and, if it is the first
 * since the last drain, wakes the loop. The flag {@code isDraining} tells whether a drain is
 * scheduled or running; so a burst of commands costs one wake-up and one flush.
 *
 * <p><b>No lost wake-up.</b> {@link #drain} lowers the flag after it has written everything, and
 * then looks at the tail of the queue once more. A caller exchanges the tail, with a full fence,
 * before it reads the flag. So either the caller sees the lowered flag and wakes the loop, or the
 * loop sees the new tail.
 *
 * <p><b>Closing.</b> {@link #close} may be called by any thread. The loop then fails all commands
 * that were appended before; a caller that appends and then finds the connection closed has the
 * loop fail its own command, or does so itself after the loop has ended.
 *
 * <p>The parts: {@link QueueAdmission}, {@link Handshake}, {@link Reconnector}, {@link
 * CommandTimeouts}, {@link PeerHealth}, {@link UnansweredCommands} and {@link ConnectionErrors}.
 * Hot path: {@link #send}, {@link #drain}, {@link #onBytes}. The event loop owns everything except
 * {@link #send}, {@link #close} and the fields that are volatile.
 */
@SuppressWarnings("ReferenceEquality") // a channel is its identity
public final class PipelinedConnection implements LendableLoop.LoopClient {
  private static final Logger LOG = LoggerFactory.getLogger(PipelinedConnection.class);

  private static final VarHandle STATE;
  private static final VarHandle IS_DRAINING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(PipelinedConnection.class, "state", State.class);
      IS_DRAINING = lookup.findVarHandle(PipelinedConnection.class, "isDraining", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The states of the physical connection; see the class comment. */
  private enum State {
    NEW,
    CONNECTING,
    HANDSHAKE,
    READY,
    DISCONNECTED,
    CLOSED
  }

  /** The owner of a connection. Called on the event loop. */
  public interface Listener {
    /** The handshake is over. */
    default void onReady() {}

    /** The connection is lost or could not be made; a reconnecting one will try again. */
    default void onLost(RedisException cause) {}

    /** The commands that every new connection begins with, after the usual handshake. */
    default List<EncodedCommand<?>> greetings() {
      return List.of();
    }

    /** Whether pushes may arrive at any time. */
    default boolean expectsPushes() {
      return false;
    }

    /**
     * A command has no result: the server replied with an error, or the connection is lost. Returns
     * true if the owner sends it again, here or elsewhere, so that it must not fail.
     */
    default boolean tryTakeOver(PendingCommand pending, RedisException failure) {
      return false;
    }

    /** A push arrived or, on a subscribed connection in RESP2, any reply. */
    default void onPush(ReplyReader in) {}
  }

  private final RedisOptions options;
  private final Connector connector;
  private final EventLoop loop;
  private final @Nullable LendableLoop lendable;
  private final Runnable drainTurn = this::drainTurn;
  private final boolean reconnects;
  private final Listener listener;
  private final CallbackBatch callbacks;
  private final QueuePermits permits;
  private final PendingQueue queue;
  private final ConnectionErrors errors;
  private final QueueAdmission admission;
  private final UnansweredCommands unanswered;
  private final Reconnector reconnector;
  private final PeerHealth health;
  private final CommandTimeouts timeouts;
  private final long commandTimeoutNanos;

  /** Any thread may set CLOSED; the event loop makes the other transitions. */
  private volatile State state = State.NEW;

  /** Whether a drain is scheduled or running, so that callers need not wake the loop. */
  private volatile boolean isDraining;

  private @Nullable Channel channel;
  private @Nullable RequestOutput out;
  private @Nullable Handshake handshake;
  private ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
  private boolean sendsPushesOnly;
  private int respVersion;

  public PipelinedConnection(
      RedisOptions options,
      Connector connector,
      boolean reconnects,
      Listener listener,
      CallbackBatch callbacks) {
    this.options = options;
    this.connector = connector;
    this.loop = connector.loop();
    this.lendable = connector.lendable();
    this.reconnects = reconnects;
    this.listener = listener;
    this.callbacks = callbacks;
    this.permits = new QueuePermits(options.queueMax());
    this.queue = new PendingQueue(permits);
    this.errors = new ConnectionErrors(options);
    this.admission = new QueueAdmission(options, connector, permits, errors);
    this.unanswered = new UnansweredCommands(queue, listener, callbacks, errors);
    this.reconnector = new Reconnector(options, connector, this::connect);
    this.health = new PeerHealth(CommandTimeouts.nanosOrForever(options.deadPeerTimeout()));
    this.timeouts = new CommandTimeouts(this, loop, queue, health, options);
    this.commandTimeoutNanos = CommandTimeouts.nanosOrForever(options.commandTimeout());
    if (lendable != null) lendable.add(this);
  }

  // ---- any thread

  /**
   * Queues {@code pending} for the next write.
   *
   * @param timeoutNanos its own timeout, or 0 for the client's
   */
  public void send(PendingCommand pending, long timeoutNanos) {
    pending.onSend(lendable, timeoutNanos == 0 ? commandTimeoutNanos : timeoutNanos);
    timeouts.onSend(pending);
    int permitCount = pending.permitCount();
    if (permits.tryAcquire(permitCount) || admission.await(pending, permitCount, isClosed())) {
      pending.setPermits(permits);
      append(pending);
    }
  }

  private void append(PendingCommand pending) {
    queue.append(pending);
    if (isClosed()) refuse();
    else if (!isDraining && IS_DRAINING.compareAndSet(this, false, true)) wakeLoop(pending);
  }

  private void wakeLoop(PendingCommand appended) {
    try {
      if (lendable != null && appended instanceof PendingFuture)
        lendable.executeForWaiter(drainTurn);
      else loop.execute(drainTurn);
    } catch (RejectedExecutionException e) {
      close();
    }
  }

  /** Has the commands failed that were appended after the connection was closed. */
  private void refuse() {
    try {
      loop.execute(drainTurn);
    } catch (RejectedExecutionException e) {
      closeAfterLoop();
    }
  }

  public boolean isReady() {
    return state == State.READY;
  }

  private boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Whether it is neither lost nor closed. On the loop. */
  public boolean isOpen() {
    State now = state;
    return now != State.DISCONNECTED && now != State.CLOSED;
  }

  /** Whether nothing is queued or in flight. On the loop. */
  public boolean isIdle() {
    return queue.isEmpty();
  }

  public int respVersion() {
    return respVersion;
  }

  /** Connects, unless it is connected or connecting. */
  public void open() {
    loop.execute(this::connect);
  }

  /** Fails the commands in flight and all later ones, and closes the connection. */
  public void close() {
    state = State.CLOSED;
    try {
      loop.execute(this::closeOnLoop);
    } catch (RejectedExecutionException e) {
      closeAfterLoop();
    }
  }

  private void closeOnLoop() {
    Channel now = channel;
    if (now != null) now.close();
    unanswered.failUnsent(errors.closed());
    permits.close();
    callbacks.dispatch();
  }

  /** Fails all commands on the calling thread, which owns the queue once the loop has ended. */
  private void closeAfterLoop() {
    if (!loop.inEventLoop()) loop.terminationFuture().awaitUninterruptibly();
    CallbackBatch own = connector.callbacks();
    synchronized (this) {
      for (PendingCommand pending = queue.takeUnsent(queue.last());
          pending != null;
          pending = queue.takeUnsent(queue.last())) {
        pending.fail(errors.closed(), own);
      }
      queue.dropTaken();
    }
    permits.close();
    own.dispatch();
  }

  @Override
  public boolean needsLoop() {
    State now = state;
    boolean isOnItsWay = now != State.READY && now != State.CLOSED;
    return !queue.isEmpty() || isOnItsWay || listener.expectsPushes();
  }

  // ---- connecting

  /** Changes the state unless it is closed; returns whether it did. */
  private boolean enter(State next) {
    State seen = state;
    while (seen != State.CLOSED) {
      if (STATE.compareAndSet(this, seen, next)) return true;
      seen = state;
    }
    return false;
  }

  private boolean isConnecting() {
    State now = state;
    return now == State.CONNECTING || now == State.HANDSHAKE;
  }

  private void connect() {
    boolean isUnconnected = state == State.NEW || state == State.DISCONNECTED;
    if (!isUnconnected || !enter(State.CONNECTING)) return;
    connector.connect(new ConnectionHandler(this), this::onConnectFailed);
  }

  private void onConnectFailed(Throwable cause) {
    errors.setLossCause(cause);
    onGone();
  }

  void onActive(Channel active) {
    channel = active;
    if (!enter(State.HANDSHAKE)) {
      active.close();
      return;
    }
    RequestOutput output = new RequestOutput(active);
    out = output;
    parser = new ReplyParser(RespLimits.REPLIES);
    sendsPushesOnly = false; // the handshake has replies
    CredentialsProvider provider = options.credentials();
    if (provider == null) greet(active, output, Handshake.fixedCredentials(options));
    else fetchCredentials(provider, active, output);
  }

  /** Starts the handshake when the credentials have arrived. */
  private void fetchCredentials(
      CredentialsProvider provider, Channel active, RequestOutput output) {
    var unused =
        provider
            .credentials()
            .whenCompleteAsync(
                (credentials, failure) -> {
                  if (channel != active) return;
                  if (failure != null) closeChannel(failure);
                  else greet(active, output, credentials);
                },
                loop);
  }

  private void greet(
      Channel active, RequestOutput output, CredentialsProvider.@Nullable Credentials credentials) {
    Handshake started = new Handshake(options, credentials, listener.greetings(), output);
    handshake = started;
    long limit = options.connectTimeout().toMillis();
    loop.schedule(() -> checkHandshake(started, active), limit, TimeUnit.MILLISECONDS);
    if (!started.start()) onHandshakeDone(started);
  }

  private void checkHandshake(Handshake started, Channel active) {
    if (handshake != started) return;
    SslHandler tls = active.pipeline().get(SslHandler.class);
    boolean awaitsTls = tls != null && !tls.handshakeFuture().isDone();
    String what = awaitsTls ? "no answer to the TLS handshake" : "no answer to the handshake";
    closeChannel(new TimeoutException(what));
  }

  private void onHandshakeDone(Handshake done) {
    handshake = null;
    RedisException refusal = done.refusal();
    if (refusal != null) {
      unanswered.failUnsent(refusal);
      closeChannel(refusal);
      return;
    }
    respVersion = done.respVersion();
    reconnector.onReady();
    if (!enter(State.READY)) return; // closeOnLoop() is to come
    errors.setLossCause(null);
    listener.onReady();
    drain();
  }

  // ---- writing

  private void drainTurn() {
    drain();
    callbacks.dispatch();
  }

  /** Writes the queued commands, as long as the connection takes them; one flush per round. */
  private void drain() {
    do {
      isDraining = true;
      if (isClosed()) unanswered.failUnsent(errors.closed());
      else if (isReady()) writeQueued();
      else if (!options.queuesWhileDisconnected() && !isConnecting()) {
        unanswered.failUnsent(errors.notConnected());
      }
      isDraining = false;
    } while (hasMore());
    timeouts.start();
  }

  /**
   * Whether a command was appended while the flag was up, so that its caller did not wake the loop.
   * The tail tells: it is exchanged, with a full fence, before the caller reads the flag, whereas
   * the pointer to the new tail may become visible later. In that case another drain is scheduled.
   */
  private boolean hasMore() {
    if (!queue.hasUnsent() || isClosed() || !takesCommands()) return false;
    if (!IS_DRAINING.compareAndSet(this, false, true)) return false;
    if (queue.nextToWrite() != null) return true;
    loop.execute(drainTurn);
    return false;
  }

  /** Whether another round would take commands off the queue. */
  private boolean takesCommands() {
    return isWritable() || (!isReady() && !isConnecting() && !options.queuesWhileDisconnected());
  }

  private boolean isWritable() {
    Channel now = channel;
    return isReady() && now != null && now.isWritable();
  }

  private void writeQueued() {
    RequestOutput output = out;
    Channel now = channel;
    if (output == null || now == null) return;
    PendingCommand pending = queue.nextToWrite();
    if (pending == null) return;
    while (pending != null && now.isWritable()) {
      queue.markSent(pending);
      if (!pending.isDone()) pending.write(output);
      pending = pending.nextAcquire();
    }
    output.flush();
  }

  void onWritabilityChanged() {
    if (isWritable()) drainTurn();
  }

  /** Writes {@code command} now, ahead of the queue; its replies are pushes. On the loop. */
  public void writeUnqueued(EncodedCommand<?> command) {
    RequestOutput output = out;
    if (output == null) return;
    output.append(command);
    output.flush();
  }

  // ---- reading

  void onBytes(ByteBuf in) {
    health.onRead();
    try {
      while (in.isReadable()) {
        int length = parser.room(in.readableBytes());
        in.readBytes(parser.writeBuffer(), parser.writeIndex(), length);
        parser.wrote(length);
        while (parser.next()) onReply(parser.reader());
      }
    } catch (ProtocolException e) {
      LOG.warn("closing {}: {}", AddressText.of(options.address()), e.getMessage());
      closeChannel(isReady() ? e : ConnectFailures.of(e, options));
    }
  }

  /** The end of one read of the socket. */
  void onReadComplete() {
    queue.retireLast();
    queue.releaseRetired();
    callbacks.dispatch();
  }

  private void onReply(ReplyReader in) {
    if (in.type() == ReplyType.PUSH || sendsPushesOnly) {
      listener.onPush(in);
      return;
    }
    Handshake greeting = handshake;
    if (greeting != null) {
      if (greeting.onReply(in)) onHandshakeDone(greeting);
      return;
    }
    PendingCommand first = queue.firstInFlight();
    if (first == null) throw new ProtocolException("reply without a request");
    reconnector.onReply();
    if (in.type() == ReplyType.ERROR && first.command() != null) {
      unanswered.fail(first, new ServerErrorException(in.readError()));
      queue.retire(first);
    } else if (first.onReply(in, callbacks)) {
      queue.retire(first);
    }
  }

  /** Treats every reply from now on as a push; for a subscribed connection in RESP2. */
  public void expectPushesOnly() {
    sendsPushesOnly = true;
  }

  // ---- losing the connection

  void onInactive(Channel inactive) {
    if (inactive == channel) onGone();
  }

  void onError(Channel failed, Throwable cause) {
    errors.noteLossCause(ConnectFailures.of(cause, options), isReady());
    // An in-VM channel reports its peer's end while it writes, and must not be closed just then.
    if (failed instanceof LocalChannel) loop.execute(failed::close);
    else failed.close();
  }

  public void closeChannel(Throwable cause) {
    errors.noteLossCause(cause, isReady());
    Channel now = channel;
    if (now != null) now.close();
  }

  private void onGone() {
    boolean wasReady = isReady();
    enter(State.DISCONNECTED);
    if (loop.isShuttingDown()) state = State.CLOSED; // no reconnecting any more
    channel = null;
    out = null;
    handshake = null;
    if (!wasReady && !isClosed() && errors.lossCause() == null) {
      errors.setLossCause(ConnectFailures.hungUp(options));
    }
    RedisException cause =
        isClosed() ? errors.closed() : wasReady ? errors.lost() : errors.notConnected();
    unanswered.failInFlight(cause);
    if (!wasReady && !isClosed()) connector.reporter().logFailure(cause);
    if (!reconnects || isClosed()) {
      if (!isClosed()) errors.setLostForGood();
      state = State.CLOSED;
      unanswered.failUnsent(errors.closed());
    } else if (!options.queuesWhileDisconnected() || (!wasReady && errors.isTlsRefused())) {
      unanswered.failUnsent(errors.notConnected());
    }
    if (isClosed() && lendable != null) lendable.remove(this);
    listener.onLost(cause);
    callbacks.dispatch();
    if (!isClosed()) reconnector.onLost(wasReady);
  }

  // ---- time

  /**
   * Ends late commands and closes the connection of a silent peer. Called while there are any.
   *
   * @param clock the time on the clock of deadlines
   * @param now the time on the machine's
   */
  void checkTime(long clock, long now) {
    queue.expire(clock, this::expire);
    boolean isReplyDue = isReady() && queue.isOwedReply();
    if (health.checkSilence(now, isReplyDue, queue)) closeForSilence();
    callbacks.dispatch();
  }

  private void expire(PendingCommand pending, boolean isSent) {
    pending.fail(errors.late(pending, isSent, isReady()), callbacks);
    pending.abandon();
  }

  /**
   * Whether a command is in flight that was given more time than a peer may be silent. It may keep
   * the server busy, and its own deadline decides. On the loop.
   */
  public boolean hasLongRunningCommand() {
    return health.hasLongRunningCommand(queue);
  }

  /** Closes the connection because the peer owes a reply and is silent. */
  public void closeForSilence() {
    closeChannel(new SilentPeerException());
  }

  /** Returns whether bytes have arrived since the last call; for connections without a queue. */
  public boolean getAndClearHasRead() {
    return health.getAndClearHasRead();
  }
}
