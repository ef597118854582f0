package dev.kermes.server.command;

import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.TrackingMode;
import dev.kermes.server.client.Transaction;

/** A connection's line in CLIENT LIST. */
public final class ClientLine {

  private ClientLine() {}

  public static String of(Call call, Session session) {
    long now = call.nowMillis();
    Transaction transaction = session.transaction();
    StringBuilder line = new StringBuilder(256);
    add(line, "id", session.id());
    add(line, "addr", session.connection().peerAddress());
    add(line, "laddr", session.connection().localAddress());
    add(line, "fd", session.id());
    add(line, "name", session.info().name());
    add(line, "age", (now - session.info().createdMillis()) / 1000);
    add(line, "idle", Math.max(0, now - session.info().lastActiveMillis()) / 1000);
    add(line, "flags", flags(call, session));
    add(line, "db", session.database().index());
    add(line, "sub", session.subscriptions().channels().size());
    add(line, "psub", session.subscriptions().patterns().size());
    add(line, "ssub", session.subscriptions().shardChannels().size());
    add(line, "multi", transaction == null ? -1 : transaction.commands().size());
    add(line, "watch", session.watches().count());
    boolean isMe = session == call.session();
    add(line, "qbuf", isMe ? requestLength(call) : session.connection().unreadBytes());
    add(
        line,
        "qbuf-free",
        isMe ? 0 : session.connection().inputBufferBytes() - session.connection().unreadBytes());
    add(line, "argv-mem", isMe ? argumentBytes(call) : 0);
    add(line, "multi-mem", transaction == null ? 0 : transaction.bytes());
    add(line, "rbs", 0);
    add(line, "rbp", 0);
    add(line, "obl", 0);
    add(line, "oll", 0);
    add(line, "omem", session.output().bytes());
    add(line, "tot-mem", session.memory().bytes());
    add(line, "events", "r");
    add(
        line,
        "cmd",
        session == call.client() ? call.sent().fullName() : session.info().lastCommand());
    add(line, "user", session.user().name());
    add(line, "redir", session.tracking() == null ? -1 : session.tracking().redirect());
    add(line, "resp", session.protocol());
    add(line, "lib-name", session.info().libraryName());
    add(line, "lib-ver", session.info().libraryVersion());
    add(line, "io-thread", 0);
    add(line, "tot-net-in", session.info().inputBytes());
    add(line, "tot-cmds", session.info().commandCount());
    if (session.is(ClientMode.REDIRECTS)) add(line, "capa", "r");
    return line.substring(0, line.length() - 1);
  }

  private static void add(StringBuilder line, String name, Object value) {
    line.append(name).append('=').append(value).append(' ');
  }

  /** The number of bytes of the current request on the wire. */
  public static int requestLength(Call call) {
    int bytes = 3 + Integer.toString(call.argc()).length();
    for (int i = 0; i < call.argc(); i++) {
      bytes += 5 + Integer.toString(call.length(i)).length() + call.length(i);
    }
    return bytes;
  }

  private static int argumentBytes(Call call) {
    int bytes = 0;
    for (int i = 0; i < call.argc(); i++) bytes += call.length(i);
    return bytes;
  }

  public static String flags(Call call, Session session) {
    StringBuilder flags = new StringBuilder();
    if (call.engine().clients().monitors().contains(session)) flags.append('O');
    if (session.isReplica()) flags.append('S');
    if (session.isMaster()) flags.append('M');
    if (!session.subscriptions().isEmpty()) flags.append('P');
    if (session.transaction() != null) flags.append('x');
    if (session.is(ClientMode.READS_REPLICAS)) flags.append('r');
    if (session.blocked() != null || session.isPaused()) flags.append('b');
    TrackingMode tracking = session.tracking();
    if (tracking != null) flags.append('t');
    if (tracking != null && tracking.isRedirectBroken()) flags.append('R');
    if (tracking != null && tracking.isBroadcast()) flags.append('B');
    if (session.watches().isBroken(call.nowMillis())) flags.append('d');
    if (session.isClosing()) flags.append('c');
    if (session.is(ClientMode.NO_EVICT)) flags.append('e');
    if (session.is(ClientMode.NO_TOUCH)) flags.append('T');
    if (session.is(ClientMode.IMPORT_SOURCE)) flags.append('I');
    return flags.isEmpty() ? "N" : flags.toString();
  }
}
