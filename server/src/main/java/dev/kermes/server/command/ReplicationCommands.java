package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.engine.Replication;
import dev.kermes.server.engine.Session;
import java.util.Locale;

/** Who follows whom. */
final class ReplicationCommands {

  private ReplicationCommands() {}

  /** REPLICAOF host port | NO ONE: follows a master from now on, or nobody any more. O(1). */
  static void replicaof(Call call) {
    Replication replication = call.engine().replication();
    if (call.is(1, "NO") && call.is(2, "ONE")) {
      replication.promote();
      call.reply().ok();
      return;
    }
    long port = call.integer(2, 0, 65_535, "ERR Invalid master port");
    if (call.failed()) return;
    Replication.Address address = new Replication.Address(call.utf8(1), (int) port);
    if (address.equals(replication.master())) {
      call.reply().simple("OK Already connected to specified master");
      return;
    }
    call.executor().unblockAll();
    replication.follow(address);
    call.reply().ok();
  }

  /** SLAVEOF host port | NO ONE: REPLICAOF by its former name. */
  static void slaveof(Call call) {
    replicaof(call);
  }

  /** ROLE: replies who this server follows and how far it is, or who follows it. O(replicas). */
  static void role(Call call) {
    Replication replication = call.engine().replication();
    RespWriter reply = call.reply();
    Replication.Address master = replication.master();
    if (master == null) {
      reply.array(3);
      reply.bulk("master");
      reply.integer(replication.offset());
      reply.array(0);
      return;
    }
    reply.array(5);
    reply.bulk("slave");
    reply.bulk(master.host());
    reply.integer(master.port());
    reply.bulk(replication.link().name().toLowerCase(Locale.ROOT));
    boolean isConnected = replication.link() == Replication.Link.CONNECTED;
    reply.integer(isConnected ? replication.offset() : -1);
  }

  /** REPLCONF option value ...: what masters and replicas tell each other. */
  static void replconf(Call call) {
    if (call.argc() % 2 == 0) {
      call.syntaxError();
      return;
    }
    Session session = call.session();
    for (int i = 1; i < call.argc(); i += 2) {
      if (call.is(i, "GETACK")) {
        if (session.isMaster()) call.engine().replication().acknowledge();
        return;
      } else {
        call.error("ERR Unrecognized REPLCONF option: " + call.utf8(i));
        return;
      }
    }
    call.reply().ok();
  }
}
