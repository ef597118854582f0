package dev.kermes.server.execution;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.BlockedClients;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.CallWait;
import dev.kermes.server.command.Permission;
import dev.kermes.server.command.keys.KeyCommands;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.engine.SuspendedScript;
import dev.kermes.server.replication.Replication;
import dev.kermes.server.writelog.WriteLog;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of blocked clients again: when their keys have got values, and when their time
 * is over. The reply goes to the client's own connection. There is one per executor; the caller of
 * every method holds the keyspace lock.
 */
final class BlockedCommands {

  private static final int REPLY_KEPT = 4096;

  private static final String UNBLOCKED =
      "UNBLOCKED force unblock from blocking operation, instance state changed"
          + " (master -> replica?)";

  private final Engine engine;
  private final CommandExecutor executor;
  private final BlockedClients clients;
  private final WriteLog log;
  private final RespWriter reply = new RespWriter(256);
  private final Call call;
  private final SlotCheck slots;
  private final SlotCounting slotCounting;

  BlockedCommands(Engine engine, CommandExecutor executor, SlotCounting slotCounting) {
    this.engine = engine;
    this.executor = executor;
    this.slotCounting = slotCounting;
    clients = engine.blockedClients();
    log = engine.keyspace().log();
    call = new Call(engine, executor, reply);
    slots = new SlotCheck(engine, call);
  }

  // Keys that got values

  /** Runs the commands of clients whose keys got values, until no key is ready. */
  void serveReady() {
    if (engine.suspended() != null) return;
    engine.keyspace().readClock(); // a key may have expired in the transaction that made it ready
    for (BlockedClients.ReadyKey key = clients.pollReady();
        key != null;
        key = clients.pollReady()) {
      for (BlockedClient blocked : clients.clientsOf(key)) {
        Object slot = key.database().lookup(key.key().bytes());
        boolean isServed = blocked.wakesWithoutValue() || slot != null && isAwaited(blocked, slot);
        if (isServed && blocked.session().blocked() == blocked) retry(blocked);
      }
    }
    for (BlockedClient blocked : clients.pollAcknowledged()) retry(blocked);
    log.endUnit(); // expired keys
  }

  /** Whether a value has the type that a blocked client's command expects. */
  private static boolean isAwaited(BlockedClient blocked, Object slot) {
    String type = KeyCommands.typeOf(slot);
    return switch (blocked.command().spec().group()) {
      case "list" -> type.equals("list");
      case "sorted-set" -> type.equals("zset");
      case "stream" -> type.equals("stream");
      default -> true;
    };
  }

  private void retry(BlockedClient blocked) {
    Session session = blocked.session();
    reply.clear(REPLY_KEPT);
    reply.protocol(session.protocol());
    call.session(session);
    call.load(blocked.command());
    Denial denial = Permission.denial(call); // rules may have changed in the meantime
    if (denial != null) {
      Permission.log(call, denial, AclLog.Context.TOPLEVEL);
      endWait(blocked, denial.error(session.user().name(), call.spec()));
      return;
    }
    call.waiting().retry(blocked);
    engine.clients().current(session);
    session.output().hold();
    long start = engine.keyspace().clock().nanos();
    executor.dispatch(call, call.spec());
    endUnit(session);
    long elapsed = engine.keyspace().clock().nanos() - start;
    boolean isServed = !call.waiting().isStillBlocked();
    if (isServed) {
      clients.remove(blocked);
      if (engine.settings().monitoringOptions().isSlow(elapsed))
        CommandMonitoring.logSlow(call, elapsed);
      CommandMonitoring.countKeys(call, elapsed, reply.length());
      slotCounting.endWait(blocked, reply.length());
    }
    session.output().release(isServed ? reply.toByteArray() : null);
  }

  /** Logs the effects for a client, whose reply is sent once the append only file has them. */
  void endUnit(Session client) {
    long before = engine.appendOnly().logOffset();
    log.endUnit();
    client.output().noteLogged(before, engine.appendOnly().logOffset());
  }

  // Time that is over

  /** Ends overdue waits, and serves clients that are due. */
  void endOverdue() {
    SuspendedScript script = engine.suspended();
    if (script != null) {
      script.goOn().run();
      return;
    }
    long now = engine.keyspace().clock().nanos();
    for (BlockedClient due = clients.pollDue(now); due != null; due = clients.pollDue(now)) {
      if (due.keys().isEmpty()) retry(due); // its reply contains the number of replicas
      else endWait(due, null);
    }
    for (BlockedClient due = clients.pollAlarm(now); due != null; due = clients.pollAlarm(now)) {
      retry(due);
    }
    if (clients.hasReady()) serveReady();
  }

  /** Ends a wait early: with the reply of a timeout, or an error. */
  void endWait(BlockedClient blocked, @Nullable String error) {
    Session session = blocked.session();
    clients.remove(blocked);
    reply.clear(REPLY_KEPT);
    reply.protocol(session.protocol());
    if (error == null) {
      CallWait.replyTimeout(reply, blocked.nilArrayOnTimeout());
    } else {
      engine.statistics().error(error);
      engine.statistics().failed(blocked.command().spec().id());
      reply.error(error);
    }
    slotCounting.endWait(blocked, reply.length());
    session.output().send(reply.toByteArray());
  }

  // Another node of the cluster

  /** Ends waits for keys that another node serves now. */
  void redirect() {
    if (clients.count() == 0) return;
    for (Session session : engine.clients().sessions()) {
      BlockedClient blocked = session.blocked();
      String error = blocked == null ? null : slots.errorOf(blocked);
      if (blocked != null && error != null) endWait(blocked, error);
    }
  }

  // Another master

  /** Ends waits after another server has become the master, which now changes the data. */
  void unblockAll() {
    Replication.Address master = engine.replication().master();
    if (master == null) return;
    for (Session session : engine.clients().sessions()) {
      BlockedClient blocked = session.blocked();
      if (blocked == null) continue;
      String error = waitsForKeysOfMaster(blocked) ? redirection(blocked, master) : UNBLOCKED;
      if (error != null) endWait(blocked, error);
    }
  }

  /** The error with the server where a blocked client finds its keys; null if it is this one. */
  private static @Nullable String redirection(BlockedClient blocked, Replication.Address master) {
    boolean isElsewhere = CommandGuard.isForMaster(blocked.session(), blocked.command().spec());
    return isElsewhere ? CommandGuard.redirection(master) : null;
  }

  /** Whether a blocked client waits for keys and handles redirects. */
  private static boolean waitsForKeysOfMaster(BlockedClient blocked) {
    return blocked.session().is(ClientMode.REDIRECTS)
        && CommandGuard.isAboutKeys(blocked.command().spec());
  }
}
