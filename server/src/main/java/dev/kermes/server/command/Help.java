package dev.kermes.server.command;

import dev.kermes.commands.CommandSpec;
import java.util.ArrayList;
import java.util.List;

/** HELP of commands with subcommands, generated from the command table. */
public final class Help {

  private Help() {}

  /** Replies the usage and summary of every subcommand next to the one being called. */
  public static void reply(Call call) {
    CommandSpec container = call.spec().container();
    if (container == null) throw new AssertionError("not a subcommand: " + call.spec());
    List<String> lines = new ArrayList<>();
    lines.add(container.name() + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
    for (CommandSpec sub : container.subcommands()) {
      lines.add(sub.usage().substring(container.name().length() + 1));
      lines.add("    " + sub.summary());
    }
    call.reply().array(lines.size());
    for (String line : lines) call.reply().simple(line);
  }
}
