package dev.kermes.commands.generate;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.commands.WaitArgument;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes the facts that the client needs for every command, so that it need not read the table when
 * it starts: the class {@code CommandFacts} of {@code dev.kermes.client.internal.command}.
 */
final class CommandFactsTemplate {
  private static final String PACKAGE = "dev.kermes.client.internal.command";

  private CommandFactsTemplate() {}

  /** Writes the class below a source directory. */
  static void write(CommandTable table, Path directory) throws IOException {
    SourceFile out = new SourceFile(PACKAGE, "CommandFacts");
    out.line("import dev.kermes.commands.WaitArgument;");
    out.line("import java.util.concurrent.TimeUnit;");
    out.line("import org.jspecify.annotations.Nullable;");
    out.line("");
    out.line("/** The facts about commands of the command table, by name in upper case. */");
    out.line("final class CommandFacts {");
    out.line("private CommandFacts() {}");
    traits(table, out);
    waits(table, out);
    out.line("}");
    out.writeTo(directory);
  }

  private static void traits(CommandTable table, SourceFile out) {
    out.line("");
    out.line("static CommandTrait trait(String name) {");
    out.line("return switch (name) {");
    for (CommandSpec spec : table.commands()) {
      String trait = trait(spec);
      if (!trait.equals("PLAIN")) row(out, spec, "CommandTrait." + trait);
    }
    out.line("default -> CommandTrait.PLAIN;");
    out.line("};");
    out.line("}");
  }

  private static String trait(CommandSpec spec) {
    WaitArgument wait = spec.waitArgument();
    if (wait != null && wait.word().isEmpty()) return "BLOCKING";
    if (spec.has(CommandFlag.STATEFUL)) return "STATEFUL";
    return spec.has(CommandFlag.UNANSWERED) ? "UNANSWERED" : "PLAIN";
  }

  private static void waits(CommandTable table, SourceFile out) {
    out.line("");
    out.line("static @Nullable WaitArgument waitArgument(String name) {");
    out.line("return switch (name) {");
    for (CommandSpec spec : table.commands()) {
      WaitArgument wait = spec.waitArgument();
      if (wait == null) continue;
      String word = '"' + wait.word() + '"';
      String arguments = "TimeUnit." + wait.unit() + ", " + wait.position() + ", " + word;
      row(out, spec, "new WaitArgument(" + arguments + ")");
    }
    out.line("default -> null;");
    out.line("};");
    out.line("}");
  }

  private static void row(SourceFile out, CommandSpec spec, String value) {
    out.line("case \"" + spec.name() + "\" -> " + value + ";");
  }
}
