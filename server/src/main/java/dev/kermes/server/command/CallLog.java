package dev.kermes.server.command;

import dev.kermes.commands.CommandSpec;
import dev.kermes.server.data.Value;
import dev.kermes.server.rdb.Dump;
import dev.kermes.server.writelog.WriteLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The effects of a call as the append only file and replicas see them. By default, the log gets the
 * command itself if it has changed something; a handler may log other commands instead. Guarded by
 * the keyspace lock.
 */
public final class CallLog {

  private final Call call;
  private final WriteLog log;
  private boolean isReplaced;
  private boolean isForced;

  CallLog(Call call, WriteLog log) {
    this.call = call;
    this.log = log;
  }

  void begin() {
    isReplaced = false;
    isForced = false;
  }

  /** Whether the log has a reader, so that it needs entries. */
  public boolean isRead() {
    return log.isRead();
  }

  // For handlers

  /** Logs a different command instead, or after those already logged instead. */
  public void instead(String name, byte[]... arguments) {
    List<byte[]> command = new ArrayList<>(arguments.length + 1);
    command.add(PropagatedCommands.ascii(name));
    Collections.addAll(command, arguments);
    instead(command);
  }

  public void instead(List<byte[]> command) {
    isReplaced = true;
    if (isRead()) log.append(call.database().index(), command);
  }

  /** Logs only the commands passed to {@link #instead}. */
  public void nothing() {
    isReplaced = true;
  }

  /** Logs the command even if nothing has changed. */
  public void always() {
    isForced = true;
  }

  /** Logs the message that the command publishes, for replicas only. */
  public void message() {
    if (!isRead()) return;
    log.appendMessage(
        call.database().index(), call.bytes(), call.slices(), call.first(), call.argc());
  }

  // For the executor

  /** Logs the command if it changed something and the handler has not logged it itself. */
  public void end(boolean hasChanged) {
    if (isReplaced || !hasChanged && !isForced) return;
    CommandSpec command = call.spec();
    boolean isEffect = command.isWrite() || command.mayReplicate();
    if (!isEffect) return;
    log.append(call.database().index(), call.bytes(), call.slices(), call.first(), call.argc());
  }

  /** Logs the present state of a value instead of the command that has half changed it. */
  void state(Value value) {
    try {
      instead("DEL", value.key());
      if (!value.isInKeyspace()) return;
      byte[] ttl = PropagatedCommands.ascii(Long.toString(Math.max(0, value.expireAtMillis())));
      byte[] dump = Dump.of(value, call.nowMillis());
      instead("RESTORE", value.key(), ttl, dump, PropagatedCommands.ascii("ABSTTL"));
    } catch (OutOfMemoryError e) {
      call.engine().logHasGap();
    }
  }
}
