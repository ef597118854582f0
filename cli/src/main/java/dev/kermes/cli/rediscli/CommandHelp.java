package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.text.Version;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The texts of {@code help}, from the command table. */
final class CommandHelp {

  private CommandHelp() {}

  /**
   * Returns help about a command, a container with its subcommands, a {@code @group}, or help
   * itself.
   */
  static String about(List<byte[]> topic) {
    if (topic.isEmpty()) return general();
    List<String> words = new ArrayList<>();
    for (byte[] word : topic) words.add(new String(word, UTF_8).toUpperCase(Locale.ROOT));
    String name = String.join(" ", words);
    List<CommandSpec> found = name.startsWith("@") ? ofGroup(name.substring(1)) : named(name);
    if (found.isEmpty()) return "No help about: " + name + "\n";
    StringBuilder text = new StringBuilder();
    for (CommandSpec spec : found) append(text, spec, !name.startsWith("@"));
    return text.append('\n').toString();
  }

  private static String general() {
    return "kermes cli "
        + Version.TEXT
        + """

        To get help about Redis commands type:
              "help @<group>" to get a list of commands in <group>
              "help <command>" for help on <command>
              "help <tab>" to get a list of possible help topics
              "quit" to exit
        """;
  }

  private static void append(StringBuilder text, CommandSpec spec, boolean hasGroup) {
    text.append("\n  ").append(spec.usage());
    text.append("\n  summary: ").append(spec.summary());
    text.append("\n  since: ").append(spec.since());
    if (hasGroup) text.append("\n  group: ").append(dashed(spec.group()));
    text.append('\n');
  }

  private static String dashed(String group) {
    return group.replace('_', '-');
  }

  private static List<CommandSpec> named(String name) {
    CommandSpec spec = CommandTable.standard().find(name);
    if (spec == null) return List.of();
    List<CommandSpec> found = new ArrayList<>();
    found.add(spec);
    found.addAll(spec.subcommands());
    return found;
  }

  private static List<CommandSpec> ofGroup(String group) {
    List<CommandSpec> found = new ArrayList<>();
    for (CommandSpec spec : CommandTable.standard().all()) {
      if (dashed(spec.group()).equalsIgnoreCase(dashed(group))) found.add(spec);
    }
    return found;
  }

  /** Returns the names of commands and subcommands, in the order of the table. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (CommandSpec spec : CommandTable.standard().all()) names.add(spec.name());
    return names;
  }

  /** Returns the groups, each as {@code @string}. */
  static Set<String> groups() {
    Set<String> groups = new TreeSet<>();
    for (CommandSpec spec : CommandTable.standard().all()) {
      groups.add("@" + dashed(spec.group()));
    }
    return groups;
  }

  /** Returns the possible rest of a line that is being typed: the usage without its typed words. */
  static String hint(String line) {
    if (line.isBlank()) return "";
    String[] words = line.stripLeading().split("\\s+", -1);
    CommandSpec spec = specOf(words);
    if (spec == null) return "";
    boolean endsWord = words[words.length - 1].isEmpty();
    int typed = words.length - (endsWord ? 1 : 0) - spec.name().split(" ").length;
    if (typed < 0) return "";
    StringBuilder hint = new StringBuilder();
    for (int i = typed; i < spec.arguments().size(); i++) {
      hint.append(hint.isEmpty() && endsWord ? "" : " ").append(spec.arguments().get(i).usage());
    }
    return hint.toString();
  }

  private static @Nullable CommandSpec specOf(String[] words) {
    CommandTable table = CommandTable.standard();
    if (words[0].contains("|")) return null;
    if (words.length > 1 && !words[1].isEmpty() && !words[1].contains("|")) {
      CommandSpec sub = table.find(words[0] + " " + words[1]);
      if (sub != null) return sub;
    }
    return table.find(words[0]);
  }
}
