package dev.kermes.server.net;

import dev.kermes.server.client.Session;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.execution.CommandExecutor;
import dev.kermes.server.execution.NodeMember;
import dev.kermes.server.keyspace.ActiveExpiry;
import dev.kermes.server.node.ServerNode;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The periodic work of a server, {@code hz} times a second on its first event loop: active expiry,
 * save points, replication, eviction, timeouts of blocked, idle and slow clients. Redis calls it
 * serverCron. Owned by that loop; each part of the work takes the keyspace lock for itself.
 */
final class ServerCron {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final Engine engine;
  private final EventLoop loop;

  /** The executor of the loop, which exists once the loop runs. */
  private final Supplier<CommandExecutor> executor;

  private final Consumer<Runnable> withKeyspaceLock;
  private final TlsReload tlsReload;
  private final MasterLink masterLink;

  /** Looks on all loops for clients that have left without being read. */
  private final Runnable endsSearch;

  /** The part of a node; null for a server on its own. */
  private final @Nullable NodeMember member;

  private final Runnable onJump = this::runDueNow;

  /** The delay until the next expiry; -1 if no key is known to be due. */
  private long expiryDelayNanos = -1;

  private long lookedForEndsNanos;

  ServerCron(
      Engine engine,
      EventLoop loop,
      Supplier<CommandExecutor> executor,
      Consumer<Runnable> withKeyspaceLock,
      TlsReload tlsReload,
      MasterLink masterLink,
      Runnable endsSearch) {
    this.engine = engine;
    this.loop = loop;
    this.executor = executor;
    this.withKeyspaceLock = withKeyspaceLock;
    this.tlsReload = tlsReload;
    this.masterLink = masterLink;
    this.endsSearch = endsSearch;
    ServerNode node = engine.node();
    member = node == null ? null : NodeMember.of(engine, node, executor, this::runSoon);
  }

  void start() {
    engine.appendOnly().onSync(this::reportDisk);
    engine.replication().failover().onSuccess(() -> executor.get().unblockAll());
    engine.keyspace().clock().onJump(onJump);
    ServerNode node = engine.node();
    if (node != null && member != null) node.attach(member);
    scheduleNext();
  }

  /** Ends the work that jumps of the clock cause; that of the loop ends with the loop. */
  void stop() {
    engine.keyspace().clock().offJump(onJump);
  }

  /** Schedules the next cron; hz may have changed since the last one. */
  private void scheduleNext() {
    loop.schedule(
        this::runAndNext,
        1000 / engine.settings().serverOptions().hz.intValue(),
        TimeUnit.MILLISECONDS);
  }

  private void runAndNext() {
    try {
      run();
    } finally {
      engine.criticalThreads().watched("cron", this::scheduleNext).run();
    }
  }

  /** Schedules the end of a client's wait at its deadline; may be called by any loop. */
  void deadlineAdded(long deadlineNanos) {
    long delay = Math.max(0, deadlineNanos - engine.keyspace().clock().nanos());
    loop.schedule(this::endOverdueWaits, delay, TimeUnit.NANOSECONDS);
  }

  /** Ends overdue waits and resumes a suspended script. */
  private void endOverdueWaits() {
    withKeyspaceLock.accept(executor.get()::endOverdueWaits);
  }

  /** Wakes clients that wait for data to reach the disk; may be called by any thread. */
  private void reportDisk() {
    runSoon(() -> {
      engine.replication().reportDisk();
      executor.get().endOverdueWaits();
    });
  }

  /** Runs work on the loop with the keyspace lock; may be called by any thread. */
  private void runSoon(Runnable work) {
    if (!loop.isShuttingDown()) loop.execute(() -> withKeyspaceLock.accept(work));
  }

  private void run() {
    withKeyspaceLock.accept(() -> {
      if (!engine.isCronPaused()) engine.shutdown().cron();
    });
    if (expiryDelayNanos < 0) expire();
    withKeyspaceLock.accept(() -> {
      if (engine.cronRests()) return;
      engine.rates().sample();
      engine.replication().cron();
      if (member != null) member.cron();
      executor.get().handOverIfDue();
      engine.persistence().cron();
      engine.appendOnly().cron();
      engine.clients().measureAndEvict();
      boolean unused = engine.eviction().makeRoom();
      engine.pause().endIfDue();
      engine.clients().closings().look();
      engine.targets().closeIdle();
      tlsReload.look(engine.keyspace().nowMillis());
      executor.get().endOverdueWaits();
      closeIdleSessions();
      wakeSlowReaders();
    });
    masterLink.cron();
    lookForEnds();
  }

  /** Looks once a second for clients that have left, also while clients are paused. */
  private void lookForEnds() {
    if (engine.keyspace().clock().nanos() - lookedForEndsNanos < SECOND_NANOS) return;
    lookedForEndsNanos = engine.keyspace().clock().nanos();
    endsSearch.run();
  }

  /** Deletes a slice of the expired keys, and continues until none remain. */
  private void expire() {
    expiryDelayNanos = -1;
    withKeyspaceLock.accept(() -> expiryDelayNanos = engine.activeExpiry().cron());
    if (expiryDelayNanos < 0) return;
    loop.schedule(this::expire, expiryDelayNanos, TimeUnit.NANOSECONDS);
  }

  private void closeIdleSessions() {
    long timeoutMillis = engine.settings().clientOptions().timeoutSeconds.value() * 1000L;
    if (timeoutMillis == 0) return;
    for (Session session : engine.clients().sessions()) {
      boolean isExempt =
          !session.subscriptions().isEmpty()
              || session.blocked() != null
              || session.isMaster()
              || session.isReplica();
      if (isExempt
          || engine.keyspace().nowMillis() - session.info().lastActiveMillis() <= timeoutMillis)
        continue;
      session.close();
    }
  }

  /** Makes loops recheck clients beyond a soft limit, whose time may run out without a write. */
  private void wakeSlowReaders() {
    for (Session session : engine.clients().sessions()) {
      boolean isSlow = engine.clients().outputLimit(session).isOverSoft(session.output().bytes());
      if (isSlow) session.connection().wake();
    }
  }

  /**
   * Does the work that a jump of the clock made due, and waits until it is done; a frozen server
   * does it when it continues.
   */
  private void runDueNow() {
    if (loop.isShuttingDown()) return; // the clock has outlived the server
    Future<?> done = loop.submit(this::runAllDue);
    if (member == null || !member.isFrozen()) done.awaitUninterruptibly();
  }

  private void runAllDue() {
    run();
    masterLink.clockHasJumped();
    boolean[] hasMore = {true};
    while (hasMore[0]) {
      withKeyspaceLock.accept(
          () -> hasMore[0] = engine.activeExpiry().look(ActiveExpiry.SLICE_NANOS));
    }
  }
}
