package dev.kermes.server.config;

import java.util.List;
import java.util.StringJoiner;

/** Writes the table of options as {@code docs/configuration.md}. */
final class ConfigurationPage {

  private static final String INTRODUCTION =
      """
      # Configuration

      All options of the server, by subject. An option is given in a configuration file (`./kermes server kermes.conf`), on
      the command line (`--maxmemory 1gb`), to an embedded server (`RedisServer.builder().option("maxmemory", "1gb")`), or by
      CONFIG SET while the server runs, unless the table says that it is set at the start. CONFIG GET shows the values, and
      CONFIG REWRITE writes them into the configuration file. The names are those of Redis, or of Valkey where Redis has no
      such option; names in parentheses are aliases.

      A value of memory is a number of bytes, or a number with a unit: `1k` is 1,000 and `1kb` is 1,024 bytes; the units `m`,
      `mb`, `g` and `gb` follow the same rule. Four kinds of lines in a configuration file are not options: `include`,
      `user` ([users](security.md)), `rename-command` and, for the program alone, `metrics-port` ([production](production.md)).

      This page is generated from the options' own declarations; see [Add an option](contributing/add-an-option.md).
      """;

  private static final String FILE_ONLY =
      """

      These options may be in a configuration file, where they have no effect; CONFIG GET does not show them:
      """;

  private ConfigurationPage() {}

  static String of(Settings settings) {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    for (OptionFamily family : settings.families()) append(page, family);
    page.append(FILE_ONLY).append(paragraph(List.copyOf(NoOpOptions.fileOnly())));
    return page.toString();
  }

  private static void append(StringBuilder page, OptionFamily family) {
    page.append("\n## ").append(family.title()).append("\n\n");
    page.append("| option | default | values | set | effect |\n|---|---|---|---|---|\n");
    for (Option option : family.options()) page.append(row(option)).append('\n');
  }

  private static String row(Option option) {
    StringJoiner row = new StringJoiner(" | ", "| ", " |");
    row.add(names(option));
    row.add(option.shownDefault());
    row.add(option.values() + (option.unit().isEmpty() ? "" : " (" + option.unit() + ")"));
    row.add(option.isMutable() ? "any time" : "at the start");
    row.add(effect(option));
    return row.toString();
  }

  private static String effect(Option option) {
    StringBuilder text = new StringBuilder(option.meaning());
    if (option.isHidden()) text.append(" For tests; CONFIG GET shows it by its exact name only.");
    if (!option.difference().isEmpty()) {
      text.append(" *").append(option.difference()).append('*');
    }
    return text.toString();
  }

  private static String names(Option option) {
    String name = "`" + option.name() + "`";
    if (option.aliases().isEmpty()) return name;
    return name + " (`" + String.join("`, `", option.aliases()) + "`)";
  }

  /** The names in lines of at most 120 characters. */
  private static String paragraph(List<String> names) {
    StringBuilder text = new StringBuilder();
    int length = 0;
    for (int i = 0; i < names.size(); i++) {
      String word = "`" + names.get(i) + "`" + (i + 1 < names.size() ? "," : ".");
      boolean isLineFull = length + word.length() + 1 > 120;
      text.append(length == 0 || isLineFull ? "\n" : " ").append(word);
      length = (isLineFull ? 0 : length) + word.length() + 1;
    }
    return text.append('\n').toString();
  }
}
