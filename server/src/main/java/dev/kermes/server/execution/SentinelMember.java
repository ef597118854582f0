package dev.kermes.server.execution;

import dev.kermes.server.engine.Engine;
import dev.kermes.server.sentinel.SentinelNode;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The server of a sentinel, whose periodic work is to watch the others. */
final class SentinelMember extends NodeMember {

  private final Engine engine;
  private final SentinelNode self;

  SentinelMember(
      Engine engine,
      SentinelNode self,
      Supplier<CommandExecutor> executor,
      Consumer<Runnable> soon) {
    super(engine, self, executor, soon);
    this.engine = engine;
    this.self = self;
  }

  @Override
  public void cron() {
    super.cron();
    self.group().look(engine.keyspace().clock().millis());
  }
}
