package dev.kermes.server.execution;

import dev.kermes.commands.CommandTable;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.Session;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.persistence.LogRunner;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of a write log from a file, with the handlers of clients' commands and a
 * separate session. No key expires during that time: the log contains the deletions. The caller of
 * every method holds the keyspace lock.
 */
public final class LogReplay implements LogRunner {

  private static final int REPLY_KEPT = 64 * 1024;

  private final RespWriter replies = new RespWriter(1024);
  private final CommandExecutor executor;
  private final Session session;

  public LogReplay(Engine engine, CommandTable table) {
    executor = new CommandExecutor(engine, table, replies, deadline -> {});
    session = engine.clients().internal(new NoConnection("log"));
  }

  @Override
  public @Nullable String run(byte[] bytes, int[] slices, int first, int argc) {
    replies.clear(REPLY_KEPT);
    executor.replay(session, bytes, slices, first, argc);
    if (replies.size() == 0 || replies.bytes()[0] != '-') return null;
    return new String(replies.bytes(), 1, replies.size() - 3, StandardCharsets.UTF_8);
  }

  @Override
  public Database database() {
    return session.database();
  }

  @Override
  public boolean isInTransaction() {
    return session.transaction() != null;
  }
}
