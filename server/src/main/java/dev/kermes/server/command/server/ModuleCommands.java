package dev.kermes.server.command.server;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;

/**
 * Modules are native libraries for the Redis process, and this server cannot load them. Commands
 * that would change modules are refused with the error of a Redis whose configuration forbids them,
 * which is Redis's default.
 */
public final class ModuleCommands {

  private static final String NOT_ALLOWED =
      "ERR MODULE command not allowed. If the enable-module-command option is set to \"local\", you"
          + " can run it from a local connection, otherwise you need to set this option in the"
          + " configuration file, and then restart the server.";

  private ModuleCommands() {}

  /** MODULE LIST: replies an empty array. O(1). */
  public static void moduleList(Call call) {
    call.reply().array(0);
  }

  /** MODULE LOAD path [arg ...]: refused. */
  public static void moduleLoad(Call call) {
    call.error(NOT_ALLOWED);
  }

  /** MODULE LOADEX path [CONFIG name value ...] [ARGS arg ...]: refused. */
  public static void moduleLoadex(Call call) {
    call.error(NOT_ALLOWED);
  }

  /** MODULE UNLOAD name: refused. */
  public static void moduleUnload(Call call) {
    call.error(NOT_ALLOWED);
  }

  /** MODULE HELP: the subcommands. */
  public static void moduleHelp(Call call) {
    Help.reply(call);
  }
}
