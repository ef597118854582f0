package dev.kermes.server.command;

import dev.kermes.server.engine.Session;
import dev.kermes.server.engine.Transaction;

/** A connection's line in CLIENT LIST. */
final class ClientLine {

  private ClientLine() {}

  static String of(Call call, Session session) {
    long now = call.nowMillis();
    Transaction transaction = session.transaction();
    StringBuilder line = new StringBuilder(256);
    add(line, "id", session.id());
    add(line, "addr", session.outlet().peerAddress());
    add(line, "laddr", session.outlet().localAddress());
    add(line, "name", session.name());
    add(line, "age", (now - session.createdMillis()) / 1000);
    add(line, "idle", Math.max(0, now - session.lastActiveMillis()) / 1000);
    add(line, "flags", flags(session));
    add(line, "db", session.database().index());
    add(line, "sub", session.channels().size());
    add(line, "psub", session.patterns().size());
    add(line, "ssub", session.shardChannels().size());
    add(line, "multi", transaction == null ? -1 : transaction.commands().size());
    add(line, "watch", session.watchCount());
    add(line, "omem", session.outlet().pendingBytes());
    add(line, "cmd", session == call.session() ? call.spec().fullName() : session.lastCommand());
    add(line, "user", "default");
    add(line, "resp", session.protocol());
    add(line, "lib-name", session.libraryName());
    add(line, "lib-ver", session.libraryVersion());
    add(line, "tot-net-in", session.inputBytes());
    add(line, "tot-cmds", session.commandCount());
    return line.substring(0, line.length() - 1);
  }

  private static void add(StringBuilder line, String name, Object value) {
    line.append(name).append('=').append(value).append(' ');
  }

  private static String flags(Session session) {
    StringBuilder flags = new StringBuilder();
    if (session.isSubscriber()) flags.append('P');
    if (session.transaction() != null) flags.append('x');
    if (session.blocked() != null) flags.append('b');
    if (session.isClosing()) flags.append('c');
    if (session.isNoEvict()) flags.append('e');
    if (session.isNoTouch()) flags.append('T');
    return flags.isEmpty() ? "N" : flags.toString();
  }
}
