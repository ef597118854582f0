package dev.kermes.server.engine;

import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.script.ScriptRun;
import java.util.List;

/**
 * A script that takes too long: it continues in slices, and in between clients are told that the
 * server is busy.
 *
 * @param caller whose reply it will be
 * @param command with which it was called
 * @param startNanos when that was, by the engine's clock
 * @param goOn runs the next slice
 */
public record SuspendedScript(
    ScriptRun run, Session caller, StoredCommand command, long startNanos, Runnable goOn) {

  /** The command's arguments. */
  public List<byte[]> arguments() {
    return command.arguments();
  }
}
