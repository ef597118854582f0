package dev.kermes.server.command.replication;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.AwaitedWrites;
import dev.kermes.server.client.Session;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.FullSyncContent;
import dev.kermes.server.replication.Failover;
import dev.kermes.server.replication.Replica;
import dev.kermes.server.replication.Replicas;
import dev.kermes.server.replication.Replication;
import dev.kermes.server.sentinel.SentinelGroup;
import dev.kermes.server.sentinel.SentinelNode;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Masters and replicas: REPLICAOF, PSYNC, WAIT, FAILOVER. */
public final class ReplicationCommands {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicationCommands.class);

  private ReplicationCommands() {}

  /**
   * REPLICAOF host port | NO ONE: makes this server a replica of another one, or a master again.
   * O(1).
   */
  public static void replicaof(Call call) {
    if (call.engine().cluster() != null) {
      call.error("ERR REPLICAOF not allowed in cluster mode.");
      return;
    }
    Replication replication = call.engine().replication();
    if (replication.failover().isOn()) {
      call.error("ERR REPLICAOF not allowed while failing over.");
      return;
    }
    if (call.is(1, "NO") && call.is(2, "ONE")) {
      replication.promote();
      call.reply().ok();
      return;
    }
    long port = call.integerInRange(2, 0, 65_535, "ERR Invalid master port");
    if (call.failed()) return;
    Replication.Address address = new Replication.Address(call.utf8(1), (int) port);
    if (address.equals(replication.master())) {
      call.reply().simple("OK Already connected to specified master");
      return;
    }
    replication.follow(address);
    call.execution().unblockAll();
    call.reply().ok();
  }

  /** SLAVEOF host port | NO ONE: REPLICAOF by its former name. */
  public static void slaveof(Call call) {
    replicaof(call);
  }

  /** ROLE: replies the master and the offset, or the replicas and theirs. O(replicas). */
  public static void role(Call call) {
    if (call.engine().node() instanceof SentinelNode sentinel) {
      roleOfSentinel(call.reply(), sentinel.group());
      return;
    }
    Replication replication = call.engine().replication();
    RespWriter reply = call.reply();
    Replication.Address master = replication.master();
    if (master == null) {
      reply.array(3);
      reply.bulk("master");
      reply.integer(replication.offset());
      replicas(reply, replication.replicas());
      return;
    }
    reply.array(5);
    reply.bulk("slave");
    reply.bulk(master.host());
    reply.integer(master.port());
    reply.bulk(replication.masterStream().state().name().toLowerCase(Locale.ROOT));
    reply.integer(replication.masterStream().isConnected() ? replication.offset() : -1);
  }

  private static void roleOfSentinel(RespWriter reply, SentinelGroup group) {
    List<String> masters = group.locked(() -> List.copyOf(group.masters().keySet()));
    reply.array(2);
    reply.bulk("sentinel");
    reply.array(masters.size());
    for (String each : masters) reply.bulk(each);
  }

  private static void replicas(RespWriter reply, Replicas replicas) {
    reply.array(replicas.all().size());
    for (Replica each : replicas.all()) {
      reply.array(3);
      reply.bulk(each.ip());
      reply.bulk(Integer.toString(each.port()));
      reply.bulk(Long.toString(each.acknowledged()));
    }
  }

  /**
   * PSYNC history offset [FAILOVER]: makes the client a replica that has the data up to that
   * offset. With FAILOVER, the client was the master of this server, which now takes over.
   */
  public static void psync(Call call) {
    long offset = call.integer(2);
    if (call.failed()) {
      String replica = call.session().connection().peerAddress();
      LOG.warn("Replica {} asks for synchronization but with a wrong offset", replica);
      return;
    }
    if (call.argc() > 3 && call.is(3, "FAILOVER")) takeOver(call);
    if (!call.failed()) synchronize(call, call.text(1), offset - 1);
  }

  private static void takeOver(Call call) {
    Replication replication = call.engine().replication();
    if (!replication.isReplica()) {
      call.error("ERR PSYNC FAILOVER can't be sent to a master.");
    } else if (!call.text(1).equals(replication.id())) {
      call.error("ERR PSYNC FAILOVER replid must match my replid.");
    } else {
      replication.promote();
      ServerNode node = call.engine().node();
      if (node != null) node.promoted();
    }
  }

  /** SYNC: the same for a replica without data and without support for offsets. */
  public static void sync(Call call) {
    if (!call.session().isReplica()) Replicas.of(call.session()).isOld(true);
    synchronize(call, "?", -1);
  }

  private static void synchronize(Call call, String replicationId, long offset) {
    Replication replication = call.engine().replication();
    if (call.session().isReplica()) return;
    if (replication.failover().isOn()) {
      call.error("NOMASTERLINK Can't SYNC while failing over");
      return;
    }
    if (replication.isReplica() && !replication.masterStream().isConnected()) {
      call.error("NOMASTERLINK Can't SYNC while not connected with my master");
      return;
    }
    Replica replica = Replicas.of(call.session());
    String reply = replication.replicas().resume(replica, replicationId, offset);
    if (reply == null) replication.replicas().requestFullSync(replica);
    else call.reply().simple(reply);
  }

  /**
   * WAIT numreplicas timeout: replies how many replicas have received all writes so far, once they
   * are enough or the milliseconds have passed. O(replicas).
   */
  public static void wait(Call call) {
    Replication replication = call.engine().replication();
    if (isRefusedByReplica(call)) {
      call.error(
          "ERR WAIT cannot be used with replica instances. Please also note that since Redis"
              + " 4.0 if a replica is configured to be writable (which is not the default) writes to"
              + " replicas are just local and are not propagated.");
      return;
    }
    long wanted = call.integer(1);
    long timeoutMillis = call.failed() ? 0 : Arguments.timeoutMillis(call, 2);
    if (call.failed()) return;
    Session session = call.session();
    if (!call.waiting().isRetry()) {
      session.awaited(new AwaitedWrites(replication.replicas().writesEnd(), 0));
    }
    int count = replication.replicas().countAt(session.awaited().offset());
    if (count >= wanted || call.isInTransaction() || call.waiting().isOverdue()) {
      call.reply().integer(count);
    } else {
      await(call, timeoutMillis);
    }
  }

  /** Whether a replica refuses a wait; one that has begun continues during a failover. */
  private static boolean isRefusedByReplica(Call call) {
    return call.engine().replication().isReplica() && !call.waiting().isRetry();
  }

  private static void await(Call call, long timeoutMillis) {
    call.waiting().withoutKeys(timeoutMillis / 1000.0);
    if (!call.waiting().isRetry()) call.engine().replication().replicas().askAll();
  }

  /**
   * WAITAOF numlocal numreplicas timeout: replies whether all writes so far are on disk here, and
   * on how many replicas, once these are enough or the milliseconds have passed. O(replicas).
   */
  public static void waitaof(Call call) {
    Replication replication = call.engine().replication();
    AppendOnly file = call.engine().appendOnly();
    long local =
        Arguments.integerOrError(
            call, 1, 0, 1, "ERR value is out of range, value must between 0 and 1");
    long wanted = call.failed() ? 0 : Arguments.count(call, 2);
    long timeoutMillis = call.failed() ? 0 : Arguments.timeoutMillis(call, 3);
    if (call.failed()) return;
    if (isRefusedByReplica(call)) {
      call.error(
          "ERR WAITAOF cannot be used with replica instances. Please also note that writes to"
              + " replicas are just local and are not propagated.");
      return;
    }
    if (local > 0 && !file.isOn()) {
      call.error("ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.");
      return;
    }
    Session session = call.session();
    if (!call.waiting().isRetry()) {
      session.awaited(new AwaitedWrites(replication.replicas().writesEnd(), file.logOffset()));
    }
    int here = file.isOnDisk(session.awaited().logOffset()) ? 1 : 0;
    int there = replication.replicas().countOnDisk(session.awaited().offset());
    boolean isEnough = here >= local && there >= wanted;
    if (!isEnough && !call.isInTransaction() && !call.waiting().isOverdue()) {
      file.awaitSync();
      await(call, timeoutMillis);
      return;
    }
    call.reply().array(2);
    call.reply().integer(here);
    call.reply().integer(there);
  }

  /** REPLCONF option value ...: exchanges facts between masters and replicas. */
  public static void replconf(Call call) {
    if (call.argc() % 2 == 0) {
      call.syntaxError();
      return;
    }
    Session session = call.session();
    for (int i = 1; i < call.argc(); i += 2) {
      if (call.is(i, "GETACK")) {
        if (session.isMaster()) call.engine().replication().masterStream().acknowledgeSynced();
        return;
      } else if (call.is(i, "ACK")) {
        acknowledged(call, i + 1);
        return;
      } else if (call.is(i, "LISTENING-PORT")) {
        long port =
            call.integerInRange(i + 1, 0, 65_535, "ERR value is not an integer or out of range");
        if (call.failed()) return;
        Replicas.of(session).port((int) port);
      } else if (call.is(i, "IP-ADDRESS")) {
        Replicas.of(session).ip(call.utf8(i + 1));
      } else if (call.is(i, "CAPA")) {
        Replicas.of(session).can(call.text(i + 1));
      } else if (call.is(i, "RDB-FILTER-ONLY")) {
        FullSyncContent content = FullSyncContent.filtered(call.text(i + 1));
        if (content == null) {
          call.error("ERR Unsupported rdb-filter-only option: " + call.shown(i + 1));
          return;
        }
        Replicas.of(session).content(content);
      } else if (!call.is(i, "VERSION")) {
        call.error("ERR Unrecognized REPLCONF option: " + call.shown(i));
        return;
      }
    }
    call.reply().ok();
  }

  /** Handles an acknowledgement of a replica, which gets no reply. */
  private static void acknowledged(Call call, int i) {
    Session session = call.session();
    Replica replica = Replica.find(session);
    if (!session.isReplica() || replica == null) return;
    long offset = call.integer(i);
    boolean tellsOfDisk = call.argc() > i + 2 && call.is(i + 1, "FACK");
    if (tellsOfDisk && !call.failed()) replica.onDisk(call.integer(i + 2));
    if (call.failed()) return;
    call.engine().replication().replicas().heard(replica, offset);
    call.execution().handOverIfDue();
  }

  /**
   * FAILOVER [TO host port] [FORCE] [ABORT] [TIMEOUT milliseconds]: makes a replica the master once
   * it is up to date, and this server its replica; replies OK at once. O(replicas).
   */
  public static void failover(Call call) {
    if (call.engine().cluster() != null) {
      call.error("ERR FAILOVER not allowed in cluster mode. Use CLUSTER FAILOVER command instead.");
      return;
    }
    FailoverOptions options = FailoverOptions.parse(call);
    if (options == null) return;
    String refusal = options.whyRefused(call.engine().replication());
    if (refusal != null) {
      call.error(refusal);
      return;
    }
    Failover failover = call.engine().replication().failover();
    if (options.aborts()) failover.abort("by FAILOVER ABORT");
    else failover.begin(options.target(), options.isForced(), options.timeoutMillis());
    call.reply().ok();
    call.execution().handOverIfDue();
  }
}
