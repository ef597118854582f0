package dev.kermes.commands.generate;

import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects the choices among pure tokens and writes an enum for each, shared by equal choices. */
final class ChoiceEnums {
  /**
   * Names of choices that several commands share; any other is named after its command and
   * argument.
   */
  private static final Map<String, String> SHARED =
      Map.ofEntries(
          Map.entry("LEFT|RIGHT", "ListSide"),
          Map.entry("BEFORE|AFTER", "InsertPosition"),
          Map.entry("AND|OR|XOR|NOT", "BitOperation"),
          Map.entry("WRAP|SAT|FAIL", "BitOverflow"),
          Map.entry("BYTE|BIT", "BitUnit"),
          Map.entry("m|km|ft|mi", "GeoUnit"),
          Map.entry("MIN|MAX", "ScoreSide"),
          Map.entry("SUM|MIN|MAX", "ScoreAggregate"),
          Map.entry("MAXLEN|MINID", "TrimStrategy"),
          Map.entry("=|~", "TrimOperator"),
          Map.entry("ON|OFF", "OnOff"),
          Map.entry("YES|NO", "YesNo"));

  private final Map<String, CommandArgument> choices = new TreeMap<>();

  /** The enum's name for a choice. */
  String typeOf(CommandSpec spec, CommandArgument choice) {
    String tokens = CommandArgument.usage(choice.children(), "|");
    String own = JavaNames.pascal(spec.methodName()) + JavaNames.pascal(choice.name());
    String name = SHARED.getOrDefault(tokens, own);
    choices.putIfAbsent(name, choice);
    return name;
  }

  void writeTo(Path directory) throws IOException {
    for (Map.Entry<String, CommandArgument> choice : choices.entrySet()) {
      SourceFile out = new SourceFile(ClientCommandsTemplate.PACKAGE, choice.getKey());
      file(out, choice.getKey(), choice.getValue().children());
      out.writeTo(directory);
    }
  }

  private static void file(SourceFile out, String name, List<CommandArgument> alternatives) {
    out.line("/** A choice: " + CommandArgument.usage(alternatives, " or ") + ". */");
    out.line("public enum " + name + " {");
    for (CommandArgument alternative : alternatives) {
      String constant = alternative.name().toUpperCase(Locale.ROOT).replace('-', '_');
      out.line("/** {@code " + alternative.token() + "}. */");
      out.line(constant + "(\"" + alternative.token() + "\"),");
    }
    out.line(";");
    out.line("");
    out.line("private final String token;");
    out.line("");
    out.line(name + "(String token) {");
    out.line("this.token = token;");
    out.line("}");
    out.line("");
    out.line("/** The word of the protocol. */");
    out.line("public String token() {");
    out.line("return token;");
    out.line("}");
    out.line("}");
  }
}
