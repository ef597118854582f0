package dev.kermes.server.execution;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.client.PubSub;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.command.cluster.KeysInSlots;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.engine.Engine;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The server of a node of a cluster: does what the topology says. */
final class ClusterMember extends NodeMember {

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
  }

  @Override
  void followNow() {
    followRole();
    KeysInSlots.delete(engine, self.topology().takeLost(self));
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
}
