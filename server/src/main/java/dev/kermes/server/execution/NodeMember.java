package dev.kermes.server.execution;

import dev.kermes.server.client.Session;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.data.Slice;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.node.NodeServer;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.replication.Replica;
import dev.kermes.server.replication.Replication;
import dev.kermes.server.sentinel.SentinelNode;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of a {@link ServerNode}: does what its node says. Any thread calls it; the work is
 * done by the server's first event loop, with the keyspace lock.
 */
public class NodeMember implements NodeServer {

  /** 5 s, as Redis: the time for a replica to catch up. */
  private static final long HAND_OVER_MILLIS = 5000;

  private final Engine engine;
  private final ServerNode self;
  private final Supplier<CommandExecutor> executor;
  private final Consumer<Runnable> soon;
  private volatile Progress recent = new Progress(0, 0, false);
  private final AtomicReference<@Nullable CountDownLatch> frozen = new AtomicReference<>();

  NodeMember(
      Engine engine, ServerNode self, Supplier<CommandExecutor> executor, Consumer<Runnable> soon) {
    this.engine = engine;
    this.self = self;
    this.executor = executor;
    this.soon = soon;
  }

  /**
   * Creates the one for a node.
   *
   * @param executor the executor of the event loop
   * @param soon runs work on the event loop with the keyspace lock
   */
  public static NodeMember of(
      Engine engine, ServerNode self, Supplier<CommandExecutor> executor, Consumer<Runnable> soon) {
    return switch (self) {
      case ClusterNode node -> new ClusterMember(engine, node, executor, soon);
      case SentinelNode node -> new SentinelMember(engine, node, executor, soon);
      default -> new NodeMember(engine, self, executor, soon);
    };
  }

  @Override
  public String runId() {
    return engine.runId();
  }

  @Override
  public int priority() {
    return engine.settings().replicationOptions().priority.intValue();
  }

  // Its role has changed

  @Override
  public final void follow() {
    soon.accept(this::followNow);
  }

  /** Does what the node says now. */
  void followNow() {
    followRole();
  }

  /** Does the periodic work. */
  public void cron() {
    noteProgress();
    followRole(); // it may have waited for a handover
  }

  /** Takes the role that the node says, unless a handover is about to change that. */
  void followRole() {
    Replication replication = engine.replication();
    Replication.Address master = master();
    if (Objects.equals(master, replication.master())) return;
    if (master == null) {
      if (!replication.failover().isOn()) replication.promote();
      return;
    }
    replication.failover().overtaken();
    replication.follow(master);
    executor.get().unblockAll();
  }

  /** The master that the node names; null for a master. */
  private Replication.@Nullable Address master() {
    ServerNode master = self.master();
    return master == null ? null : new Replication.Address(master.host(), self.portOf(master));
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

  @Override
  public void disconnectClients() {
    soon.accept(() -> {
      for (Session each : engine.clients().sessions()) {
        if (!each.isMaster() && !each.isReplica()) each.close();
      }
    });
  }

  // Failover

  @Override
  public void handOver(ServerNode replica) {
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
      self.promoted();
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

  @Override
  public boolean isLoading() {
    Progress last = recent;
    boolean isNew = !last.isInSync() && last.offset() == 0;
    return isNew || engine.keyspace().loading().isOn();
  }

  @Override
  public void refresh() {
    soon.accept(this::noteProgress);
  }

  private void noteProgress() {
    Replication replication = engine.replication();
    boolean isConnected = replication.masterStream().isConnected();
    boolean hasItsRole = Objects.equals(master(), replication.master());
    boolean isInSync = hasItsRole && (!replication.isReplica() || isConnected);
    recent = new Progress(recent.count() + 1, replication.offset(), isInSync);
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

  /** Whether a test has stopped it where it stands. */
  public boolean isFrozen() {
    return frozen.get() != null;
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
