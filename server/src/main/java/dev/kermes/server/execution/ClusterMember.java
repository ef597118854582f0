package dev.kermes.server.execution;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.client.PubSub;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.NodeServer;
import dev.kermes.server.command.cluster.KeysInSlots;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.data.Slice;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.replication.MasterLinkState;
import dev.kermes.server.replication.Replica;
import dev.kermes.server.replication.Replication;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of a node of a cluster: does what the topology says. Any thread calls it; the work is
 * done by the server's first event loop, with the keyspace lock.
 */
public final class ClusterMember implements NodeServer {

  /** 5 s, as Redis: the time for a replica to catch up. */
  private static final long HAND_OVER_MILLIS = 5000;

  private final Engine engine;
  private final ClusterNode self;
  private final Supplier<CommandExecutor> executor;
  private final Consumer<Runnable> soon;
  private volatile Progress recent = new Progress(0, false);
  private final AtomicReference<@Nullable CountDownLatch> frozen = new AtomicReference<>();

  /**
   * Creates it.
   *
   * @param executor the executor of the event loop
   * @param soon runs work on the event loop with the keyspace lock
   */
  public ClusterMember(
      Engine engine,
      ClusterNode self,
      Supplier<CommandExecutor> executor,
      Consumer<Runnable> soon) {
    this.engine = engine;
    this.self = self;
    this.executor = executor;
    this.soon = soon;
  }

  // The topology has changed

  @Override
  public void follow() {
    soon.accept(() -> {
      followRole();
      KeysInSlots.delete(engine, self.topology().takeLost(self));
      endChannels();
      executor.get().redirectBlocked();
    });
  }

  /** Does the periodic work. */
  public void cron() {
    noteProgress();
    followRole(); // it may have waited for a handover
  }

  /** Takes the role that the topology says, unless a handover is about to change that. */
  private void followRole() {
    Replication replication = engine.replication();
    Replication.Address master = master();
    if (replication.failover().isOn() || Objects.equals(master, replication.master())) return;
    if (master == null) {
      replication.promote();
      return;
    }
    replication.follow(master);
    executor.get().unblockAll();
  }

  /** The master that the topology names; null for a master. */
  private Replication.@Nullable Address master() {
    ClusterNode master = self.master();
    return master == null ? null : new Replication.Address(master.host(), master.port());
  }

  /** Ends the subscriptions to shard channels that another shard serves. */
  private void endChannels() {
    PubSub pubSub = engine.pubSub();
    for (byte[] channel : pubSub.names(PubSub.Kind.SHARD, null)) {
      if (!isServedHere(HashSlots.of(channel))) pubSub.endShardChannel(new ByteKey(channel));
    }
  }

  private boolean isServedHere(int slot) {
    ClusterNode owner = self.ownerOf(slot);
    boolean isOfShard = owner != null && (owner == self || owner == self.master());
    return isOfShard || self.importingFrom(slot) != null;
  }

  @Override
  public void deliver(byte[] channel, byte[] message, boolean isSharded) {
    soon.accept(() -> {
      int unused =
          isSharded
              ? engine.pubSub().publishToShard(channel, Slice.of(message))
              : engine.pubSub().publish(channel, Slice.of(message));
    });
  }

  // Failover

  @Override
  public void handOver(ClusterNode replica) {
    soon.accept(() -> {
      Replication replication = engine.replication();
      if (replication.isReplica() || replication.failover().isOn()) return;
      for (Replica each : replication.replicas().all()) {
        if (each.port() != replica.port()) continue;
        replication.failover().begin(each.address(), false, HAND_OVER_MILLIS);
        replication.replicas().askAll();
        executor.get().handOverIfDue();
        return;
      }
    });
  }

  @Override
  public void takeOver() {
    soon.accept(() -> {
      self.topology().promote(self);
      engine.replication().promote();
    });
  }

  // Facts

  @Override
  public Progress progress() {
    engine.keyspace().withLock(this::noteProgress);
    return recent;
  }

  @Override
  public Progress recent() {
    return recent;
  }

  private void noteProgress() {
    Replication replication = engine.replication();
    boolean isConnected = replication.masterStream().state() == MasterLinkState.CONNECTED;
    boolean hasItsRole = Objects.equals(master(), replication.master());
    boolean isInSync = hasItsRole && (!replication.isReplica() || isConnected);
    recent = new Progress(replication.offset(), isInSync);
  }

  // Frozen by a test

  @Override
  public void freeze() {
    CountDownLatch end = new CountDownLatch(1);
    if (!frozen.compareAndSet(null, end)) return;
    CountDownLatch stands = new CountDownLatch(1);
    soon.accept(() -> {
      stands.countDown();
      await(end);
    });
    await(stands);
  }

  @Override
  public void thaw() {
    CountDownLatch end = frozen.getAndSet(null);
    if (end != null) end.countDown();
  }

  private static void await(CountDownLatch latch) {
    boolean isInterrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) Thread.currentThread().interrupt();
  }
}
