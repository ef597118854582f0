package dev.kermes.server.script;

import dev.kermes.resp.RespWriter;
import org.jspecify.annotations.Nullable;

/** Runs commands for the script that is under way. */
public interface ScriptHost {

  /**
   * Runs a command; its reply lies in {@link #reply()} until the next one.
   *
   * @return why it was not run, as an error reply; null if it was
   */
  @Nullable String call(ScriptRun run, ArgumentBuffer arguments);

  RespWriter reply();

  /** Whether there is such a command; its arguments are not looked at. */
  boolean isCommand(ArgumentBuffer arguments);

  /** Whether the script's caller may run a command that there is. */
  boolean isAllowed(ArgumentBuffer arguments);
}
