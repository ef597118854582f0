package dev.kermes.server.execution;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.PubSub;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.SlotServer;
import dev.kermes.server.command.cluster.KeysInSlots;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.engine.Engine;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The server of a node of a cluster: does what the topology says. */
final class ClusterMember extends NodeMember implements SlotServer {

  private final Engine engine;
  private final ClusterNode self;
  private final Supplier<CommandExecutor> executor;

  ClusterMember(
      Engine engine,
      ClusterNode self,
      Supplier<CommandExecutor> executor,
      Consumer<Runnable> soon) {
    super(engine, self, executor, soon);
    this.engine = engine;
    this.self = self;
    this.executor = executor;
    engine
        .pubSub()
        .onShardMessage((channel, messageLength, receivers) ->
            SlotCounting.countMessages(engine, self, channel, messageLength, receivers));
  }

  @Override
  void followNow() {
    followRole();
    KeysInSlots.delete(engine, self.topology().takeLost(self));
    self.usage().retain(this::isServedHere);
    endChannels();
    executor.get().redirectBlocked();
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

  // Moves of slots in one step

  @Override
  public List<SlotKey> handOut(BitSet slots) {
    List<SlotKey> keys = new ArrayList<>();
    engine
        .keyspace()
        .withLock(() -> {
          engine.keyspace().readClock();
          engine.pause().begin(Pause.Reason.SLOTS, Long.MAX_VALUE, false);
          keys.addAll(KeysInSlots.withValues(engine, slots));
        });
    return keys;
  }

  @Override
  public void takeIn(List<SlotKey> keys, BooleanSupplier condition) {
    engine
        .keyspace()
        .withLock(() -> {
          engine.keyspace().readClock();
          if (condition.getAsBoolean()) KeysInSlots.add(engine, keys);
        });
  }

  @Override
  public void continueWrites() {
    engine.keyspace().withLock(() -> engine.pause().end(Pause.Reason.SLOTS));
  }
}
