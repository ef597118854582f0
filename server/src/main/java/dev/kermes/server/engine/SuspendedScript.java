package dev.kermes.server.engine;

import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.script.ScriptRun;
import java.util.List;

/**
 * A script that takes too long. It continues in slices; between them, clients get the error that
 * the server is busy.
 *
 * @param caller the client that gets the reply
 * @param command the command that started the script
 * @param startNanos when it started, by the engine's clock
 * @param goOn runs the next slice
 */
public record SuspendedScript(
    ScriptRun run, Session caller, StoredCommand command, long startNanos, Runnable goOn) {

  /** The command's arguments. */
  public List<byte[]> arguments() {
    return command.arguments();
  }
}
