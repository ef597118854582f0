package dev.kermes.client.internal.pool;

import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.PipelinedConnection;
import dev.kermes.client.internal.pending.Lease;
import dev.kermes.client.internal.pending.PendingCommand;
import java.util.function.LongSupplier;

/**
 * One connection of a {@link DedicatedPool}. It cannot be used again once it is lost. Owned by the
 * event loop, except for the methods that say otherwise.
 */
public final class PooledConnection implements PipelinedConnection.Listener, Lease {
  private final DedicatedPool pool;
  private final PipelinedConnection connection;
  private volatile boolean isLost;
  private boolean isIdle;
  private long idleSinceNanos;

  PooledConnection(DedicatedPool pool, RedisOptions options, Connector connector) {
    this.pool = pool;
    this.connection =
        new PipelinedConnection(options, connector, false, this, connector.callbacks());
  }

  /** Any thread. */
  public PipelinedConnection connection() {
    return connection;
  }

  /** Sends the borrower's command. Any thread. */
  public void send(EncodedCommand<?> command, PendingCommand pending) {
    connection.send(pending, Requests.timeoutNanosAlone(command, pool.options()));
  }

  @Override
  public void giveBack() {
    pool.runOnLoop(() -> pool.takeBack(this));
  }

  @Override
  public void discard() {
    connection.close();
  }

  @Override
  public void abandonedBy(PendingCommand pending) {
    pool.runOnLoop(() -> {
      if (pending.lease() == this) discard();
    });
  }

  @Override
  public boolean tryTakeOver(PendingCommand pending, RedisException failure) {
    DedicatedPool.FailureHandler handler = pool.failureHandler();
    if (pending.lease() == this) return handler.tryTakeOver(pending, failure);
    // A borrower's command depends on this connection's state and is not sent elsewhere.
    handler.learnFrom(failure);
    return false;
  }

  /** Learns about the topology from the failure of a borrower's command. */
  public void learnFrom(RedisException failure) {
    pool.failureHandler().learnFrom(failure);
  }

  /** Any thread. */
  public String addressText() {
    return AddressText.of(pool.options().address());
  }

  /** The clock of deadlines. Any thread. */
  public LongSupplier clock() {
    return pool.options().clock();
  }

  /** Whether the connection is gone. Any thread. */
  public boolean isLost() {
    return isLost;
  }

  @Override
  public void onLost(RedisException cause) {
    isLost = true;
    pool.remove(this);
  }

  /** Whether no borrower has it. */
  boolean isIdle() {
    return isIdle;
  }

  /** Notes that a borrower has it. */
  void lend() {
    isIdle = false;
  }

  /** Notes that no borrower has it from now on. */
  void rest() {
    isIdle = true;
    idleSinceNanos = System.nanoTime();
  }

  /** How long no borrower has had it. */
  long idleNanos(long now) {
    return now - idleSinceNanos;
  }
}
