package dev.kermes.server.command;

import dev.kermes.commands.CommandTable;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Slice;
import dev.kermes.server.persistence.LogRunner;
import dev.kermes.server.script.ScriptRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event loop's executor as seen by its calls and handlers. The caller of every method holds the
 * keyspace lock.
 *
 * <p>The only implementation is {@code CommandExecutor}. It knows the handlers of all families, so
 * they must not know it.
 */
public interface Execution {

  CommandTable table();

  // Calls

  /** Whether a call is a command sent by a client, as opposed to one run on the client's behalf. */
  boolean isOutermost(Call running);

  /**
   * A string in a part of this turn's input, whose array is taken away from the connection; null if
   * the part is not of that input.
   */
  @Nullable RawString takeInput(Slice part);

  /** Whether a string is in an array that was taken in this turn, by {@link #takeInput}. */
  boolean isTaken(RawString string);

  /**
   * Takes the array of this turn's input away from the connection for a reply that refers to a
   * part; false if the part is not of that input. The reply is the array's last use, unless further
   * commands are in it.
   */
  boolean lendInput(Slice part);

  /** Takes an array of at least this length that nothing uses, with any content; null if none. */
  byte @Nullable [] takeSpare(int length);

  /** Leaves an array that nothing uses any more to the input of the loop's connections. */
  void spare(byte[] array);

  /** Notes the deadline of a client that blocks, in nanoseconds of the clock. */
  void deadlineAdded(long nanos);

  // Commands that run other commands

  /** Runs the queued commands of EXEC, each with its reply. */
  void runTransaction(Call exec, List<StoredCommand> commands);

  /** Runs a prepared script, and replies its result. */
  void runScript(Call call, ScriptRun run);

  /** Creates a runner for the commands of an append only file, with a separate session. */
  LogRunner newLogRunner();

  // Replies after the turn

  /** Notes the end of an unfinished command, after its reply has been written. */
  void finishedLate(Call unfinished, long elapsedNanos);

  /** Sends the reply of an unfinished command, once its effects are logged. */
  void endLate(Session client, byte[] reply);

  // Blocked clients

  /** Ends a wait early: with the reply of a timeout, or an error. */
  void endWait(BlockedClient blocked, @Nullable String error);

  /** Ends waits after another server has become the master. */
  void unblockAll();

  // The server

  /** Divides the time of the turn so far among its brief commands. */
  void settleTimes();

  /** Hands over to a replica if a failover is due. */
  void handOverIfDue();
}
