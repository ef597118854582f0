package dev.kermes.server.command.client;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.User;
import dev.kermes.server.acl.Users;
import dev.kermes.server.client.Acl;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Permission;
import dev.kermes.server.command.cluster.ClusterCommands;
import dev.kermes.server.command.keys.KeyCommands;
import dev.kermes.server.data.Slice;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.sentinel.SentinelNode;
import java.nio.charset.StandardCharsets;

/** The connection itself: its user, its protocol, its database. */
public final class ConnectionCommands {

  private static final String WRONG_PASSWORD =
      "WRONGPASS invalid username-password pair or user is disabled.";

  private static final byte[] PONG = "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);

  /**
   * 256 KiB: moving the next command's input out of the array costs as much as copying less. ECHO
   * of 64 KB in a pipeline took a fifth more CPU time.
   */
  private static final int LENT_MIN = 256 * 1024;

  private ConnectionCommands() {}

  /** PING [message]: replies PONG, or the message. O(1). */
  public static void ping(Call call) {
    RespWriter reply = call.reply();
    if (call.argc() > 2) {
      call.error("ERR wrong number of arguments for 'ping' command");
    } else if (!call.session().subscriptions().isEmpty() && call.session().protocol() == 2) {
      reply.array(2);
      reply.bulk("pong");
      if (call.argc() == 2) replyMessage(call);
      else reply.bulk("");
    } else if (call.argc() == 2) {
      replyMessage(call);
    } else {
      reply.raw(PONG);
    }
  }

  /** ECHO message: replies the message. O(1). */
  public static void echo(Call call) {
    replyMessage(call);
  }

  /**
   * Replies the argument. A large one that fills half of its input stays there until it is sent.
   */
  private static void replyMessage(Call call) {
    Slice message = call.slice(1);
    boolean isLent =
        message.length() >= LENT_MIN
            && message.length() > message.array().length / 2
            && call.execution().lendInput(message);
    if (isLent) call.reply().bulkOwned(message.array(), message.offset(), message.length());
    else message.write(call.reply());
  }

  /** SELECT index: chooses a database. O(1). */
  public static void select(Call call) {
    boolean isOther = call.engine().cluster() != null && call.integer(1) != 0;
    if (isOther && !call.failed()) call.error("ERR SELECT is not allowed in cluster mode");
    Database database = call.failed() ? null : KeyCommands.database(call, 1);
    if (database == null) return;
    call.session().database(database);
    call.reply().ok();
  }

  /** QUIT: replies OK and closes. */
  public static void quit(Call call) {
    call.reply().ok();
    call.session().close();
  }

  /** RESET: restores the connection's state to that of a new one. */
  public static void reset(Call call) {
    Session session = call.session();
    session.endTransaction();
    call.engine().pubSub().unsubscribeAll(session);
    call.engine().tracking().stop(session);
    call.engine().clients().monitor(session, false);
    session.database(call.engine().keyspace().database(0));
    session.replies(Session.Replies.ON);
    session.info().name("");
    session.set(ClientMode.NO_EVICT, false);
    session.set(ClientMode.NO_TOUCH, false);
    session.set(ClientMode.IMPORT_SOURCE, false);
    session.set(ClientMode.READS_REPLICAS, false);
    session.set(ClientMode.ASKS, false);
    int unused = session.fieldsets().clear();
    Acl access = call.engine().acl();
    session.user(access.users().defaultUser());
    session.authenticated(access.isOpen());
    useProtocol(call, call.engine().settings().clientOptions().protocol.intValue());
    call.reply().simple("RESET");
  }

  /** AUTH [username] password: logs in, by default as the default user. O(1). */
  public static void auth(Call call) {
    if (call.argc() > 3) {
      call.syntaxError();
      return;
    }
    Users users = call.engine().acl().users();
    if (call.argc() == 2 && users.defaultUser().needsNoPassword()) {
      call.error(
          "ERR AUTH <password> called without any password configured for the default user. Are"
              + " you sure your configuration is correct?");
      return;
    }
    String user = call.argc() == 3 ? call.text(1) : User.DEFAULT;
    if (logIn(call, user, call.text(call.argc() - 1))) call.reply().ok();
    else call.error(WRONG_PASSWORD);
  }

  private static boolean logIn(Call call, String user, String password) {
    User loggedIn = call.engine().acl().users().logIn(user, password);
    if (loggedIn == null) {
      Permission.logFailedLogin(call, user);
      return false;
    }
    call.session().user(loggedIn);
    call.session().authenticated(true);
    return true;
  }

  /** HELLO [protover [AUTH user password] [SETNAME name]]: chooses the protocol; replies facts. */
  public static void hello(Call call) {
    int protocol = call.session().protocol();
    if (call.argc() > 1) {
      long wanted = call.integer(1, "ERR Protocol version is not an integer or out of range");
      if (call.failed()) return;
      if (wanted != 2 && wanted != 3) {
        call.error("NOPROTO unsupported protocol version");
        return;
      }
      protocol = (int) wanted;
    }
    String name = null;
    int auth = 0;
    for (int i = 2; i < call.argc(); i++) {
      int left = call.argc() - i - 1;
      if (call.is(i, "AUTH") && left >= 2) {
        auth = i;
        i += 2;
      } else if (call.is(i, "SETNAME") && left >= 1) {
        name = call.utf8(++i);
        if (!ClientCommands.isName(name)) {
          call.error(ClientCommands.BAD_NAME);
          return;
        }
      } else {
        call.error("ERR Syntax error in HELLO option '" + call.shown(i) + "'");
        return;
      }
    }
    if (auth > 0 && !logIn(call, call.text(auth + 1), call.text(auth + 2))) {
      call.error(WRONG_PASSWORD);
      return;
    }
    if (!call.session().isAuthenticated()) {
      call.error(
          "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
              + " <proto> AUTH <user> <pass> option can be used to authenticate the client and"
              + " select the RESP protocol version at the same time");
      return;
    }
    if (name != null) call.session().info().name(name);
    useProtocol(call, protocol);
    replyHello(call);
  }

  private static void useProtocol(Call call, int version) {
    call.session().protocol(version);
    call.reply().protocol(version);
  }

  private static void replyHello(Call call) {
    RespWriter reply = call.reply();
    String zone = call.engine().settings().clientOptions().availabilityZone.value();
    boolean hasRole = !(call.engine().node() instanceof SentinelNode);
    reply.map(6 + (hasRole ? 1 : 0) + (zone.isEmpty() ? 0 : 1));
    reply.bulk("server");
    reply.bulk("redis");
    reply.bulk("version");
    reply.bulk(call.engine().settings().serverOptions().announcedRelease.value().text());
    reply.bulk("proto");
    reply.integer(call.session().protocol());
    reply.bulk("id");
    reply.integer(call.session().id());
    reply.bulk("mode");
    reply.bulk(ServerNode.modeOf(call.engine().node()));
    if (hasRole) {
      reply.bulk("role");
      reply.bulk(call.engine().replication().isReplica() ? "replica" : "master");
    }
    reply.bulk("modules");
    reply.array(0);
    if (zone.isEmpty()) return;
    reply.bulk("availability_zone");
    reply.bulk(zone);
  }

  /**
   * READONLY: makes a replica serve the reads of this connection itself. For nodes of a cluster,
   * and for clients that know redirects, as in Valkey. O(1).
   */
  public static void readonly(Call call) {
    readsReplicas(call, true);
  }

  /** READWRITE: undoes READONLY. O(1). */
  public static void readwrite(Call call) {
    readsReplicas(call, false);
  }

  private static void readsReplicas(Call call, boolean is) {
    if (call.engine().cluster() == null && !call.session().is(ClientMode.REDIRECTS)) {
      call.error(ClusterCommands.DISABLED);
      return;
    }
    call.session().set(ClientMode.READS_REPLICAS, is);
    call.reply().ok();
  }
}
