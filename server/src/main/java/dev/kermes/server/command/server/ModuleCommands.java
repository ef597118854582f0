package dev.kermes.server.command.server;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;

/**
 * Modules are native libraries for the process that Redis is: none can be loaded into this one, so
 * what would change that is refused as by a Redis whose configuration forbids it, which is the
 * default there.
 */
public final class ModuleCommands {

  private static final String NOT_ALLOWED =
      "ERR MODULE command not allowed. If the enable-module-command option is set to \"local\", you"
          + " can run it from a local connection, otherwise you need to set this option in the"
          + " configuration file, and then restart the server.";

  private ModuleCommands() {}

  /** MODULE LIST: replies no modules. O(1). */
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
