package dev.kermes.commands;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One row of a data file during reading; {@link CommandSpec} is built from it. */
final class CommandRow {
  final CommandFamily family;
  final String file;
  final int line;
  final String name;
  final String usage;
  final boolean isContainer;

  String summary = "";
  String since = "";
  String cost = "";
  int arity;
  final Set<CommandFlag> flags = EnumSet.noneOf(CommandFlag.class);
  final Set<AclCategory> categories = EnumSet.noneOf(AclCategory.class);
  final List<KeySpec> keySpecs = new ArrayList<>();
  final List<String> replies = new ArrayList<>();
  List<String> tips = List.of();
  boolean isSystem;
  @Nullable WaitArgument waitArgument;
  @Nullable String deprecatedSince;
  @Nullable String replacedBy;

  CommandRow(
      CommandFamily family, String file, int line, String name, String usage, boolean isContainer) {
    this.family = family;
    this.file = file;
    this.line = line;
    this.name = name;
    this.usage = usage;
    this.isContainer = isContainer;
  }

  CommandFileException wrong(String message) {
    return new CommandFileException(file, line, name + ": " + message);
  }
}
