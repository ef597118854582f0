package dev.kermes.client;

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
import java.io.Serial;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One logical connection: a queue that any thread appends to, and the physical connection that the
 * event loop drains it into. The queue outlives connections.
 *
 * <pre>
 *   callers --append--> [ done | in flight | not yet written ] --drain: one write--> server
 *                             ^head        ^sent           ^tail        replies, in order
 * </pre>
 *
 * <p>A reply always belongs to the first written exchange that is not done; nothing but a reply or
 * the loss of the connection takes an exchange out of that order, so that cancelling or timing out
 * cannot shift replies.
 *
 * <p>Hot path: {@link #send}, {@link #drain}, {@link #onBytes}. Everything is owned by the event
 * loop except {@link #send}, {@code tail} and the counters beside it.
 */
@SuppressWarnings("ReferenceEquality") // an exchange is its identity
final class PipelinedConnection implements LendableLoop.LoopClient {
  private static final Logger LOG = LoggerFactory.getLogger(PipelinedConnection.class);
  private static final long TICK_MILLIS = 10;

  private static final VarHandle TAIL;
  private static final VarHandle IS_DRAINING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(PipelinedConnection.class, "tail", PendingCommand.class);
      IS_DRAINING = lookup.findVarHandle(PipelinedConnection.class, "isDraining", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Stands in the queue where there is no exchange. */
  private static final class Nothing extends PendingCommand {
    @Override
    boolean isDone() {
      return true;
    }

    @Override
    void writeTo(RequestOutput out) {}

    @Override
    boolean onReply(ReplyReader in, CallbackBatch callbacks) {
      return true;
    }

    @Override
    void fail(RedisException failure, CallbackBatch callbacks) {}
  }

  /** Why a connection was given up whose peer owes something and says nothing. */
  static final class Silence extends TimeoutException {
    @Serial private static final long serialVersionUID = 1L;

    Silence() {
      super("peer is silent");
    }
  }

  /** What the owner of a link is told. On the event loop. */
  interface Listener {
    /** The handshake is over. */
    default void onReady() {}

    /** The connection is gone or could not be made; an automatic link will try again. */
    default void onLost(RedisException cause) {}

    /** What every new connection begins with, after the usual handshake. */
    default List<Command<?>> greetings() {
      return List.of();
    }

    /** Whether pushes may come at any time. */
    default boolean expectsPushes() {
      return false;
    }

    /**
     * An exchange has no result: a server error, or the connection is gone. True when the owner has
     * it sent again, here or elsewhere, and it must not fail.
     */
    default boolean tryTakeOver(PendingCommand pending, RedisException failure) {
      return false;
    }

    /** A push arrived, or, on a subscribing link in RESP2, any reply. */
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
  private final Backoff backoff;
  private final long commandTimeoutNanos;
  private final long deadPeerNanos;

  private volatile PendingCommand tail = new Nothing();
  private volatile boolean isDraining;
  private volatile boolean isClosed;

  /** Whether it is closed because the connection is gone; written before {@link #isClosed}. */
  private boolean isLostForGood;

  private PendingCommand head = tail;
  private PendingCommand sent = tail;
  private @Nullable Channel channel;
  private @Nullable RequestOutput out;
  private @Nullable Handshake handshake;
  private ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
  private volatile boolean isReady;
  private boolean isConnecting;
  private boolean isGone;
  private int permitsRetired;
  private boolean isTicking;
  private boolean hasRead;

  /** Whether a reply has come since the handshake. */
  private boolean hasServed;

  private long readySinceNanos;
  private long quietSinceNanos;
  private boolean sendsPushesOnly;
  private int respVersion;
  private @Nullable Throwable lossCause;

  PipelinedConnection(
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
    this.backoff = connector.backoff();
    this.commandTimeoutNanos = nanosOrForever(options.commandTimeout());
    this.deadPeerNanos = nanosOrForever(options.deadPeerTimeout());
    if (lendable != null) lendable.add(this);
  }

  private static long nanosOrForever(Duration timeout) {
    return timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
  }

  // ---- any thread

  /**
   * Queues {@code pending} for the next write.
   *
   * @param timeoutNanos its own timeout, or 0 for the client's
   */
  void send(PendingCommand pending, long timeoutNanos) {
    pending.loop = lendable;
    pending.timeoutNanos = timeoutNanos == 0 ? commandTimeoutNanos : timeoutNanos;
    int permitCount = pending.permitCount();
    if (permits.tryAcquire(permitCount) || waitForPermits(pending, permitCount)) {
      pending.permits = permits;
      append(pending);
    }
  }

  private void append(PendingCommand pending) {
    PendingCommand before = (PendingCommand) TAIL.getAndSet(this, pending);
    PendingCommand.NEXT.setRelease(before, pending);
    if (isClosed) refuse();
    else if (!isDraining && IS_DRAINING.compareAndSet(this, false, true)) wakeLoop(pending);
  }

  private void wakeLoop(PendingCommand appended) {
    try {
      if (lendable != null && appended instanceof RedisFuture) lendable.executeForWaiter(drainTurn);
      else loop.execute(drainTurn);
    } catch (RejectedExecutionException e) {
      close();
    }
  }

  /**
   * Who closes the link fails all that was appended before; whoever appends and then finds it
   * closed must look after his own.
   */
  private void refuse() {
    try {
      loop.execute(drainTurn);
    } catch (RejectedExecutionException e) {
      closeAfterLoop();
    }
  }

  /** Waits as long as {@code pending} may take; false when it has failed instead. */
  private boolean waitForPermits(PendingCommand pending, int permitCount) {
    if (options.overflow() == RedisOptions.Overflow.FAIL || loop.inEventLoop()) {
      failNow(pending, isClosed ? closed() : full());
      return false;
    }
    if (lendable != null) lendable.ensureRunner();
    long start = System.nanoTime();
    try {
      if (!permits.acquire(permitCount, pending.timeoutNanos)) {
        failNow(pending, noPermitsInTime(pending));
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failNow(pending, new CommandCancelledException("interrupted: " + pending, e));
      return false;
    }
    if (pending.timeoutNanos != Long.MAX_VALUE) {
      pending.deadlineNanos = start + pending.timeoutNanos; // the wait counts
    }
    return true;
  }

  private QueueFullException full() {
    return new QueueFullException(
        "queue full: queueMax=" + options.queueMax() + ", address=" + options.addressText(), null);
  }

  private CommandTimeoutException noPermitsInTime(PendingCommand pending) {
    String message =
        "no free queue permit in time: " + pending + ", queueMax=" + options.queueMax();
    return new CommandTimeoutException(message + inTime(pending), false, lossCause);
  }

  private String inTime(PendingCommand pending) {
    long millis = TimeUnit.NANOSECONDS.toMillis(pending.timeoutNanos);
    return ", timeout=" + millis + " ms, address=" + options.addressText() + because();
  }

  private void failNow(PendingCommand pending, RedisException failure) {
    CallbackBatch own = connector.callbacks();
    pending.fail(failure, own);
    own.dispatch();
  }

  /** Why a closed link takes nothing any more. */
  private RedisException closed() {
    return isLostForGood
        ? notConnected()
        : new ClientClosedException("client closed: address=" + options.addressText(), null);
  }

  boolean isReady() {
    return isReady;
  }

  /** Whether it is connecting or ready and nobody has closed it. On the loop. */
  boolean isOpen() {
    return !isGone && !isClosed;
  }

  /** Whether nothing is queued or under way. On the loop. */
  boolean isIdle() {
    return head == tail;
  }

  int respVersion() {
    return respVersion;
  }

  /** Connects, unless it is connected or connecting. */
  void open() {
    loop.execute(this::connect);
  }

  /** Fails what is under way and what will be sent, and closes the connection. */
  void close() {
    isClosed = true;
    try {
      loop.execute(this::closeOnLoop);
    } catch (RejectedExecutionException e) {
      closeAfterLoop();
    }
  }

  /** The loop's last tasks done, this thread is as good an owner as any. */
  private void closeAfterLoop() {
    if (!loop.inEventLoop()) loop.terminationFuture().awaitUninterruptibly();
    CallbackBatch own = connector.callbacks();
    synchronized (this) {
      for (PendingCommand pending = nextUnsent(tail); pending != null; pending = nextUnsent(tail))
        pending.fail(closed(), own);
      head = sent;
    }
    permits.close();
    own.dispatch();
  }

  @Override
  public boolean needsLoop() {
    return head != tail || (!isReady && !isClosed) || listener.expectsPushes();
  }

  // ---- connecting

  private void connect() {
    if (isClosed || isConnecting || channel != null) return;
    isConnecting = true;
    isGone = false;
    connector.connect(new ConnectionHandler(this), this::onConnectFailed);
  }

  private void onConnectFailed(Throwable cause) {
    lossCause = cause;
    onGone();
  }

  void onActive(Channel active) {
    channel = active;
    if (isClosed) {
      active.close();
      return;
    }
    RequestOutput output = new RequestOutput(active);
    out = output;
    parser = new ReplyParser(RespLimits.REPLIES);
    sendsPushesOnly = false; // the handshake has replies
    CredentialsProvider provider = options.credentials();
    if (provider == null) greet(active, output, options.fixedCredentials());
    else ask(provider, active, output);
  }

  /** The handshake begins when the credentials are there. */
  private void ask(CredentialsProvider provider, Channel active, RequestOutput output) {
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
      failUnsent(refusal);
      closeChannel(refusal);
      return;
    }
    respVersion = done.respVersion();
    hasServed = false;
    readySinceNanos = System.nanoTime();
    isConnecting = false;
    isReady = true;
    lossCause = null;
    listener.onReady();
    drain();
  }

  // ---- writing

  private void drainTurn() {
    drain();
    callbacks.dispatch();
  }

  /** Writes what is queued, as long as the connection takes it, with one flush per round. */
  private void drain() {
    do {
      isDraining = true;
      if (isClosed) failUnsent(closed());
      else if (isReady) writeQueued();
      else if (!options.queuesWhileDisconnected() && !isConnecting) failUnsent(notConnected());
      isDraining = false;
    } while (hasMore());
    if (head != tail) startTicking();
  }

  /**
   * Whether something was appended while the flag was up, so that nobody was woken. The tail tells:
   * it is exchanged, with a full fence, before the appending thread looks at the flag, whereas its
   * link to the tail may become visible later.
   */
  private boolean hasMore() {
    if (tail == sent || isClosed || !takesCommands()) return false;
    if (!IS_DRAINING.compareAndSet(this, false, true)) return false;
    if (sent.nextAcquire() != null) return true;
    loop.execute(drainTurn);
    return false;
  }

  /** Whether another round would take anything off the queue. */
  private boolean takesCommands() {
    return isWritable() || (!isReady && !isConnecting && !options.queuesWhileDisconnected());
  }

  private boolean isWritable() {
    Channel now = channel;
    return isReady && now != null && now.isWritable();
  }

  private void writeQueued() {
    RequestOutput output = out;
    Channel now = channel;
    if (output == null || now == null) return;
    PendingCommand pending = sent.nextAcquire();
    if (pending == null) return;
    while (pending != null && now.isWritable()) {
      sent = pending;
      if (!pending.isDone()) {
        pending.isWritten = pending.expectsReply();
        pending.writeTo(output);
      }
      pending = pending.nextAcquire();
    }
    output.flush();
  }

  void onWritabilityChanged() {
    if (isWritable()) drainTurn();
  }

  // ---- reading

  void onBytes(ByteBuf in) {
    hasRead = true;
    int length = in.readableBytes();
    try {
      parser.ensureWritable(length);
      in.readBytes(parser.writeBuffer(), parser.writeIndex(), length);
      parser.wrote(length);
      while (parser.next()) onReply(parser.reader());
    } catch (ProtocolException e) {
      LOG.warn("closing {}: {}", options.addressText(), e.getMessage());
      closeChannel(isReady ? e : ConnectFailures.of(e, options));
    }
  }

  /** The end of one read of the socket. */
  void onReadComplete() {
    retireLast();
    releaseRetired();
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
    PendingCommand first = firstInFlight();
    if (first == null) throw new ProtocolException("reply without a request");
    hasServed = true;
    if (in.type() == ReplyType.ERROR && first.command() != null) {
      giveUp(first, new ServerErrorException(in.readError()));
      retire(first);
    } else if (first.onReply(in, callbacks)) {
      retire(first);
    }
  }

  /** Ends {@code pending} without a result, unless the owner knows what else to do with it. */
  private void giveUp(PendingCommand pending, RedisException failure) {
    if (isWhatWasAsked(pending, failure)) {
      pending.answer("OK", callbacks);
      return;
    }
    if (pending.isDone() || !listener.tryTakeOver(pending, failure)) {
      pending.fail(failure, callbacks);
      return;
    }
    if (!pending.hasNoPermits && pending.takePermits() != null)
      permitsRetired += pending.permitCount();
    pending.hasNoPermits = true;
    DedicatedPool.PooledConnection lease = pending.lease();
    if (lease == null) return;
    pending.claims(null);
    lease.discard(); // who cancels it this very moment may still mean this connection
  }

  /** A server that shuts down replies nothing: it hangs up. */
  private static boolean isWhatWasAsked(PendingCommand pending, RedisException failure) {
    Command<?> command = pending.command();
    return command != null
        && failure instanceof ConnectionLostException lost
        && lost.mayHaveExecuted()
        && lost.getCause() == null
        && command.name().equals("SHUTDOWN");
  }

  /** The exchange that the next reply belongs to, or null. */
  private @Nullable PendingCommand firstInFlight() {
    retireUnwritten();
    return head == sent ? null : following(head);
  }

  private void retireUnwritten() {
    while (head != sent && !following(head).isWritten) retire(following(head));
  }

  private void retire(PendingCommand pending) {
    head.next = null; // done exchanges must not keep later ones alive
    head = pending;
    retirePermits(pending);
    DedicatedPool.PooledConnection lease = pending.lease();
    if (lease == null) return;
    pending.claims(null); // who gives up from now on does not mean this connection any more
    lease.giveBack();
  }

  private void retirePermits(PendingCommand pending) {
    if (!pending.hasNoPermits && !pending.hasReleasedPermitsEarly())
      permitsRetired += pending.permitCount();
  }

  /** What has been retired makes room: once for many, for it is an operation between threads. */
  private void releaseRetired() {
    permits.release(permitsRetired);
    permitsRetired = 0;
  }

  /** Takes the last done exchange out of an empty queue, so that its result can be collected. */
  private void retireLast() {
    PendingCommand last = head;
    if (last != sent || last instanceof Nothing) return;
    Nothing nothing = new Nothing();
    if (TAIL.compareAndSet(this, last, nothing)) {
      head = nothing;
      sent = nothing;
    }
  }

  private static PendingCommand following(PendingCommand pending) {
    PendingCommand next = pending.nextAcquire();
    if (next == null) throw new IllegalStateException("queue ends before its last sent exchange");
    return next;
  }

  /** Writes {@code command} now, ahead of the queue; its replies are pushes. On the loop. */
  void writeUnqueued(Command<?> command) {
    RequestOutput output = out;
    if (output == null) return;
    output.append(command);
    output.flush();
  }

  /** From now on every reply is a push; for a subscribing connection in RESP2. */
  void expectPushesOnly() {
    sendsPushesOnly = true;
  }

  // ---- losing

  void onInactive(Channel inactive) {
    if (inactive == channel) onGone();
  }

  void onError(Channel failed, Throwable cause) {
    if (!isReady || lossCause == null) lossCause = ConnectFailures.of(cause, options);
    // An in-VM channel tells of its peer's end while it writes, and must not be closed meanwhile.
    if (failed instanceof LocalChannel) loop.execute(failed::close);
    else failed.close();
  }

  void closeChannel(Throwable cause) {
    if (!isReady || lossCause == null) lossCause = cause;
    Channel now = channel;
    if (now != null) now.close();
  }

  private void onGone() {
    boolean wasReady = isReady;
    isReady = false;
    isGone = true;
    isConnecting = false;
    if (loop.isShuttingDown()) isClosed = true; // there is no coming back
    channel = null;
    out = null;
    handshake = null;
    if (!wasReady && lossCause == null) lossCause = ConnectFailures.hungUp(options);
    RedisException cause = isClosed ? closed() : wasReady ? lost() : notConnected();
    failInFlight(cause);
    boolean isTlsRefused = !wasReady && lossCause instanceof SSLException;
    if (!wasReady && !isClosed) connector.reporter().logFailure(cause);
    if (!reconnects || isClosed) {
      isLostForGood |= !isClosed;
      isClosed = true;
      failUnsent(closed());
    } else if (!options.queuesWhileDisconnected() || isTlsRefused) {
      failUnsent(notConnected());
    }
    if (isClosed && lendable != null) lendable.remove(this);
    listener.onLost(cause);
    callbacks.dispatch();
    if (!isClosed) scheduleReconnect(wasReady);
  }

  /** At once after a connection that was of use; one that only shook hands was not. */
  private void scheduleReconnect(boolean wasReady) {
    long stoodNanos = System.nanoTime() - readySinceNanos;
    if (wasReady && (hasServed || stoodNanos >= options.backoffMax().toNanos())) {
      backoff.succeeded();
      connect();
      return;
    }
    long wait = backoff.nextMillis();
    LOG.debug("connecting to {} again in {} ms", options.addressText(), wait);
    loop.schedule(this::connect, wait, TimeUnit.MILLISECONDS);
  }

  private ConnectionLostException lost() {
    return new ConnectionLostException(
        "connection lost: address=" + options.addressText() + because(), true, lossCause);
  }

  private ConnectionLostException notConnected() {
    boolean isTls = lossCause instanceof SSLException;
    String what = isTls && options.usesTls() ? "no TLS connection" : "not connected";
    return new ConnectionLostException(
        what + ": address=" + options.addressText() + because(), false, lossCause);
  }

  private String because() {
    Throwable cause = lossCause;
    return cause == null ? "" : ", cause=" + cause.getMessage();
  }

  private void failInFlight(RedisException cause) {
    RedisException failure =
        lossCause instanceof ProtocolException broken
            ? new RedisProtocolException("not RESP: " + broken.getMessage(), broken)
            : cause;
    for (PendingCommand pending = firstInFlight(); pending != null; pending = firstInFlight()) {
      giveUp(pending, failure);
      retire(pending);
    }
    releaseRetired();
  }

  private void failUnsent(RedisException cause) {
    PendingCommand last = tail; // what comes later is dealt with by who sends it
    for (PendingCommand pending = nextUnsent(last); pending != null; pending = nextUnsent(last))
      giveUp(pending, cause);
    retireUnwritten();
    releaseRetired();
  }

  /** Counts the next one as sent; null after {@code last}. */
  private @Nullable PendingCommand nextUnsent(PendingCommand last) {
    if (sent == last) return null;
    PendingCommand pending = sent.nextAcquire();
    while (pending == null) { // appended, but not linked yet
      Thread.onSpinWait();
      pending = sent.nextAcquire();
    }
    sent = pending;
    return pending;
  }

  private void closeOnLoop() {
    Channel now = channel;
    if (now != null) now.close();
    failUnsent(closed());
    permits.close();
    callbacks.dispatch();
  }

  // ---- time

  private void startTicking() {
    if (isTicking) return;
    isTicking = true;
    quietSinceNanos = System.nanoTime();
    hasRead = false;
    loop.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Ends what is past its deadline and gives up a peer that owes replies and is silent. */
  private void tick() {
    isTicking = false;
    long now = System.nanoTime();
    expire(now);
    checkPeer(now);
    callbacks.dispatch();
    if (head == tail) return;
    isTicking = true;
    loop.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Besides ending what is late it has what is done make room, so that the queue's bound counts the
   * living: what was written stays in its place, where its reply will come; the rest goes.
   */
  private void expire(long now) {
    boolean isSent = head != sent;
    PendingCommand before = head;
    for (PendingCommand pending = head.nextAcquire();
        pending != null;
        pending = pending.nextAcquire()) {
      long timeout = pending.timeoutNanos;
      if (timeout != Long.MAX_VALUE) {
        if (pending.deadlineNanos == 0) pending.deadlineNanos = now + timeout;
        else if (pending.deadlineNanos - now <= 0 && !pending.isDone()) expire(pending, isSent);
      }
      boolean isDone = pending.isDone();
      if (isDone) {
        retirePermits(pending);
        pending.hasNoPermits = true;
      }
      if (!isDone || isSent || !unlink(pending, before)) before = pending;
      if (pending == sent) isSent = false;
    }
    releaseRetired();
  }

  /**
   * Takes {@code pending}, which is done and not written, out of the queue, unless it is the last.
   */
  private static boolean unlink(PendingCommand pending, PendingCommand before) {
    PendingCommand after = pending.nextAcquire();
    if (after == null) return false;
    before.next = after;
    return true;
  }

  private void expire(PendingCommand pending, boolean isSent) {
    pending.fail(late(pending, isSent), callbacks);
    pending.abandoned();
  }

  private CommandTimeoutException late(PendingCommand pending, boolean isSent) {
    String what =
        isSent ? "no reply in time: " : isReady ? "not sent in time: " : "not connected: ";
    return new CommandTimeoutException(what + pending + inTime(pending), isSent, lossCause);
  }

  private void checkPeer(long now) {
    if (hasRead || !isReady || !isOwedReply()) {
      hasRead = false;
      quietSinceNanos = now;
    } else if (deadPeerNanos != Long.MAX_VALUE
        && now - quietSinceNanos > deadPeerNanos
        && !hasLongRunningCommand()) {
      closeForSilence();
    }
  }

  /**
   * Whether a command is under way that was given more time than a peer has for being silent: it
   * may keep the server busy, and its own deadline decides. Whether the server's host lives the
   * kernel asks meanwhile, by keep-alive probes. On the loop.
   */
  boolean hasLongRunningCommand() {
    for (PendingCommand pending = head; pending != sent; ) {
      pending = following(pending);
      boolean isPatient = pending.ownTimeoutNanos() > deadPeerNanos && !pending.mayWait();
      if (isPatient && pending.isWritten && !pending.isDone()) return true;
    }
    return false;
  }

  /** Whether there is no reason to keep the next reply back. */
  private boolean isOwedReply() {
    for (PendingCommand pending = head; pending != sent; ) {
      pending = following(pending);
      if (pending.isWritten) return !pending.mayWait();
    }
    return false;
  }

  /** The peer owes something and says nothing. */
  void closeForSilence() {
    closeChannel(new Silence());
  }

  /** Whether bytes have come since this was asked last; for links that queue nothing. */
  boolean getAndClearHasRead() {
    boolean had = hasRead;
    hasRead = false;
    return had;
  }
}
