package dev.kermes.server.script;

import dev.kermes.resp.RespWriter;
import org.jspecify.annotations.Nullable;

/** Runs commands for the current script. */
public interface ScriptHost {

  /**
   * Runs a command; {@link #reply()} holds its reply until the next one.
   *
   * @return why the command was not run, as an error reply; null if it was
   */
  @Nullable String call(ScriptRun run, ArgumentBuffer arguments);

  RespWriter reply();

  /** Whether the command exists; its arguments are not checked. */
  boolean isCommand(ArgumentBuffer arguments);

  /** Whether the script's caller may run a command that exists. */
  boolean isAllowed(ArgumentBuffer arguments);
}
