package dev.kermes.client.internal.routing;

import dev.kermes.client.CommandBuilder;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.Replies;
import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.PipelinedConnection;
import dev.kermes.client.internal.pending.CommandFuture;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pool.DedicatedPool;
import io.netty.channel.ConnectTimeoutException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One server and the connections to it: one shared by all callers, and pools of connections that
 * serve one borrower at a time. Any thread.
 */
public final class Node implements PipelinedConnection.Listener, DedicatedPool.FailureHandler {
  /** The owner of the node, which decides about failures. Called on the event loop. */
  interface Owner {
    /** See {@link PipelinedConnection.Listener#tryTakeOver}. */
    boolean tryTakeOver(Node node, PendingCommand pending, RedisException failure);

    /** A caller gets {@code failure}, which may tell about the topology. */
    default void learnFrom(Node node, RedisException failure) {}

    /** The shared connection is ready. */
    default void onReady(Node node) {}

    /** The shared connection is lost, or an attempt to make it failed. */
    default void onLost(Node node, RedisException cause) {}
  }

  private static final EncodedCommand<String> PING =
      EncodedCommand.of(CommandBuilder.of("PING").build(Replies.simple()));

  private final RedisOptions options;
  private final Connector connector;
  private final Owner owner;
  private final PipelinedConnection connection;
  private final DedicatedPool blocking;
  private final DedicatedPool dedicated;
  private volatile boolean isClosed;

  /** Creates a node; it connects with {@link #open}. */
  Node(RedisOptions options, Connector connector, Owner owner) {
    this.options = options;
    this.connector = connector;
    this.owner = owner;
    this.connection =
        new PipelinedConnection(options, connector, true, this, connector.callbacks());
    this.blocking = pool(new DedicatedPool.Bound("blockingMax", options.blockingMax()));
    this.dedicated = pool(new DedicatedPool.Bound("dedicatedMax", options.dedicatedMax()));
  }

  private DedicatedPool pool(DedicatedPool.Bound bound) {
    return new DedicatedPool(options, connector, bound, this);
  }

  void open() {
    connection.open();
    scheduleHealthCheck();
  }

  /**
   * Pings the server on the shared connection while other connections are lent. A lent connection
   * may be silent because its command waits in the server; a server that is silent on the shared
   * connection too is dead.
   */
  private void healthCheck() {
    if (isClosed) return;
    boolean isLent = !blocking.isIdle() || !dedicated.isIdle();
    boolean isAsked =
        isLent && !dedicated.hasLongRunningCommand() && !blocking.hasLongRunningCommand();
    if (isAsked && connection.isReady() && connection.isIdle())
      connection.send(new CommandFuture<>(PING), 0);
    blocking.closeUnused();
    dedicated.closeUnused();
    scheduleHealthCheck();
  }

  private void scheduleHealthCheck() {
    long nanos = options.deadPeerTimeout().toNanos() / 3;
    if (nanos > 0) connector.loop().schedule(this::healthCheck, nanos, TimeUnit.NANOSECONDS);
  }

  public SocketAddress address() {
    return options.address();
  }

  public RedisOptions options() {
    return options;
  }

  public Connector connector() {
    return connector;
  }

  public PipelinedConnection connection() {
    return connection;
  }

  /** The connections of commands that wait in the server. */
  public DedicatedPool blocking() {
    return blocking;
  }

  /** The connections that callers borrow. */
  public DedicatedPool dedicated() {
    return dedicated;
  }

  boolean isReady() {
    return connection.isReady();
  }

  /**
   * Sends on the shared connection, or on a dedicated one if the command may wait in the server.
   */
  public void send(EncodedCommand<?> command, PendingCommand pending, long timeoutNanos) {
    if (command.isBlocking()) blocking.send(pending, timeoutNanos);
    else connection.send(pending, timeoutNanos);
  }

  @Override
  public boolean tryTakeOver(PendingCommand pending, RedisException failure) {
    return owner.tryTakeOver(this, pending, failure);
  }

  @Override
  public void learnFrom(RedisException failure) {
    owner.learnFrom(this, failure);
  }

  @Override
  public void onReady() {
    connector.reporter().onConnected();
    owner.onReady(this);
  }

  @Override
  public void onLost(RedisException cause) {
    Throwable why = cause.getCause();
    boolean isDead = why instanceof TimeoutException || why instanceof ConnectTimeoutException;
    if (isDead) {
      blocking.closeLent();
      dedicated.closeLent();
    }
    if (cause instanceof ConnectionLostException lost) tell(lost);
    owner.onLost(this, cause);
  }

  private void tell(ConnectionLostException cause) {
    if (cause.mayHaveExecuted()) connector.reporter().onLost(cause);
    else connector.reporter().onAttemptFailed(cause);
  }

  void close() {
    isClosed = true;
    blocking.close();
    dedicated.close();
    connection.close();
  }

  /** Closes the node if nothing is under way; returns whether it did. On the event loop. */
  boolean closeIfIdle() {
    if (!connection.isIdle() || !blocking.isIdle() || !dedicated.isIdle()) return false;
    close();
    return true;
  }

  @Override
  public String toString() {
    return "Node[" + AddressText.of(address()) + "]";
  }
}
