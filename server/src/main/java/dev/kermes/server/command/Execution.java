package dev.kermes.server.command;

import dev.kermes.commands.CommandTable;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.persistence.LogRunner;
import dev.kermes.server.script.ScriptRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The executor of an event loop as its calls and handlers see it. The caller of every method holds
 * the keyspace lock.
 *
 * <p>The only implementation is {@code CommandExecutor}. It knows the handlers of all families, so
 * they cannot know it.
 */
public interface Execution {

  CommandTable table();

  // Calls

  /** Whether a call is a command that a client sent, as opposed to one run on its behalf. */
  boolean isOutermost(Call running);

  /** Takes an array away from the input of this turn; false if it is not the array of the input. */
  boolean takeInput(byte[] array);

  /** Notes a deadline of a client that blocks, in nanoseconds of the clock. */
  void deadlineAdded(long nanos);

  // Commands that run other commands

  /** Runs the queued commands of EXEC, each with its reply. */
  void runTransaction(Call exec, List<StoredCommand> commands);

  /** Runs a script that was started, and replies its result. */
  void runScript(Call call, ScriptRun run);

  /** A runner for the commands of an append only file, with a session of its own. */
  LogRunner newLogRunner();

  // Replies that come after the turn

  /** Notes the end of a command that was left unfinished, when its reply has been written. */
  void finishedLate(Call unfinished, long elapsedNanos);

  /** Sends the reply of a command that was left unfinished, once its effects are logged. */
  void endLate(Session client, byte[] reply);

  // Blocked clients

  /** Ends a wait before its time: with the reply of a timeout, or an error. */
  void endWait(BlockedClient blocked, @Nullable String error);

  /** Ends waits after another server has become the master. */
  void unblockAll();

  // The server

  /** The error of writes while the files that keep them cannot be written; otherwise null. */
  @Nullable String whyWritesAreRefused();

  /** Divides the time of the turn so far among its brief commands. */
  void settleTimes();

  /** Hands over to a replica if a failover is due. */
  void lookAtFailover();
}
