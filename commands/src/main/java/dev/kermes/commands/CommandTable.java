package dev.kermes.commands;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All commands, read once from the data files next to this class. Immutable; any thread.
 *
 * <p>{@link #find(byte[], int, int)} is a hot path: the server calls it for every command.
 */
public final class CommandTable {
  private static final List<String> FAMILIES =
      List.of(
          "strings",
          "bitmaps",
          "hyperloglog",
          "keys",
          "dumps",
          "lists",
          "hashes",
          "hashexpiry",
          "hashimport",
          "sets",
          "sortedsets",
          "geo",
          "streams",
          "streamgroups",
          "arrays",
          "pubsub",
          "logs",
          "hotkeys",
          "transactions",
          "scripting",
          "functions",
          "connection",
          "clients",
          "acl",
          "config",
          "memory",
          "replication",
          "cluster",
          "saving",
          "modules",
          "server");

  /** The family of the commands that only a sentinel has. */
  private static final String SENTINEL_FAMILY = "sentinel";

  /** The commands of a server that a sentinel has too. */
  private static final List<String> OF_SENTINELS_TOO =
      List.of(
          "ACL",
          "AUTH",
          "CLIENT",
          "COMMAND",
          "HELLO",
          "INFO",
          "PING",
          "PSUBSCRIBE",
          "PUBLISH",
          "PUNSUBSCRIBE",
          "QUIT",
          "ROLE",
          "SHUTDOWN",
          "SUBSCRIBE",
          "UNSUBSCRIBE");

  private final List<CommandSpec> specs;
  private final List<CommandSpec> commands;
  private final NameIndex<CommandSpec> index;
  private final CommandTable original;

  private CommandTable(List<CommandSpec> specs, List<CommandSpec> commands) {
    this.specs = List.copyOf(specs);
    this.commands = List.copyOf(commands);
    this.index = CommandSpec.indexOf(commands);
    this.original = this;
  }

  private CommandTable(
      CommandTable original, List<CommandSpec> commands, NameIndex<CommandSpec> index) {
    this.specs = original.specs;
    this.commands = commands;
    this.index = index;
    this.original = original.original;
  }

  /**
   * Returns the same commands under other names.
   *
   * @param names new names by the names in this table; a command with an empty one cannot be found
   * @throws IllegalArgumentException if there is no such command, or a new name is taken
   */
  public CommandTable renamed(Map<String, String> names) {
    if (names.isEmpty()) {
      return this;
    }
    Map<String, CommandSpec> byName = new LinkedHashMap<>();
    for (CommandSpec spec : commands) {
      byName.put(spec.name(), spec);
    }
    for (Map.Entry<String, String> rename : names.entrySet()) {
      CommandSpec spec = byName.remove(rename.getKey().toUpperCase(Locale.ROOT));
      if (spec == null) {
        throw new IllegalArgumentException("No such command in rename-command: " + rename.getKey());
      }
      String name = rename.getValue().toUpperCase(Locale.ROOT);
      if (!name.isEmpty() && byName.putIfAbsent(name, spec) != null) {
        throw new IllegalArgumentException("Target command name already exists: " + name);
      }
    }
    List<CommandSpec> found = List.copyOf(byName.values());
    return new CommandTable(this, found, new NameIndex<>(new ArrayList<>(byName.keySet()), found));
  }

  /** Returns the same commands under their own names. */
  public CommandTable original() {
    return original;
  }

  private static List<CommandSpec> withoutSubcommands(List<CommandSpec> specs) {
    List<CommandSpec> commands = new ArrayList<>(specs.size());
    for (CommandSpec spec : specs) {
      if (spec.container() == null) {
        commands.add(spec);
      }
    }
    return commands;
  }

  private static final class Standard {
    static final CommandTable TABLE = read(dataFiles());
  }

  private static final class OfSentinels {
    static final CommandTable TABLE = readOfSentinels();
  }

  /** Returns the table of this build; reads it on the first call. */
  public static CommandTable standard() {
    return Standard.TABLE;
  }

  /**
   * Returns the table of sentinels. Its rows are those of the standard one, with the same ids, and
   * the ones of {@code SENTINEL}; it finds only commands that a sentinel has.
   */
  public static CommandTable sentinel() {
    return OfSentinels.TABLE;
  }

  private static CommandTable readOfSentinels() {
    Map<String, String> textByFile = dataFiles();
    String file = SENTINEL_FAMILY.concat(".commands");
    textByFile.put(file, dataFile(file));
    List<CommandSpec> all = link(rows(textByFile));
    List<CommandSpec> commands = new ArrayList<>();
    for (CommandSpec spec : withoutSubcommands(all)) {
      boolean isOwn = spec.family().name().equals(SENTINEL_FAMILY);
      if (isOwn || OF_SENTINELS_TOO.contains(spec.name())) {
        commands.add(spec);
      }
    }
    return new CommandTable(all, commands);
  }

  /** Reads a table from texts by file name. */
  static CommandTable read(Map<String, String> textByFile) {
    List<CommandSpec> all = link(rows(textByFile));
    return new CommandTable(all, withoutSubcommands(all));
  }

  private static Map<String, CommandRow> rows(Map<String, String> textByFile) {
    Map<String, CommandRow> rows = new LinkedHashMap<>();
    for (Map.Entry<String, String> file : textByFile.entrySet()) {
      for (CommandRow row : CommandFileReader.read(file.getKey(), file.getValue())) {
        add(rows, row);
      }
    }
    return rows;
  }

  private static void add(Map<String, CommandRow> rows, CommandRow row) {
    CommandRow other = rows.putIfAbsent(row.name, row);
    if (other != null) {
      throw row.wrong("a second row; the first is " + other.file + ":" + other.line);
    }
  }

  private static List<CommandSpec> link(Map<String, CommandRow> rows) {
    List<CommandSpec> specs = new ArrayList<>(rows.size());
    Map<String, CommandSpec> byName = new HashMap<>();
    Map<CommandSpec, List<CommandSpec>> children = new LinkedHashMap<>();
    for (CommandRow row : rows.values()) {
      CommandSpec container = container(row, byName);
      CommandSpec spec = new CommandSpec(specs.size(), row, container);
      specs.add(spec);
      byName.put(row.name, spec);
      if (row.isContainer) {
        children.put(spec, new ArrayList<>());
      }
      if (container != null) {
        childrenOf(container, children).add(spec);
      }
    }
    for (Map.Entry<CommandSpec, List<CommandSpec>> entry : children.entrySet()) {
      entry.getKey().setSubcommands(entry.getValue());
    }
    return specs;
  }

  private static List<CommandSpec> childrenOf(
      CommandSpec container, Map<CommandSpec, List<CommandSpec>> children) {
    List<CommandSpec> list = children.get(container);
    if (list == null) {
      list = new ArrayList<>();
      children.put(container, list);
    }
    return list;
  }

  private static @Nullable CommandSpec container(CommandRow row, Map<String, CommandSpec> byName) {
    int space = row.name.indexOf(' ');
    if (space < 0) {
      return null;
    }
    CommandSpec container = byName.get(row.name.substring(0, space));
    if (container == null) {
      throw row.wrong("expected a row of " + row.name.substring(0, space) + " above");
    }
    return container;
  }

  private static Map<String, String> dataFiles() {
    Map<String, String> textByFile = new LinkedHashMap<>();
    for (String family : FAMILIES) {
      String file = family.concat(".commands");
      textByFile.put(file, dataFile(file));
    }
    return textByFile;
  }

  private static String dataFile(String file) {
    try (InputStream in = CommandTable.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("missing data file: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number of rows, subcommands and containers included; ids are smaller. */
  public int size() {
    return specs.size();
  }

  /** Returns the row with an id. */
  public CommandSpec spec(int id) {
    return specs.get(id);
  }

  /** All rows in the order of their ids. */
  public List<CommandSpec> all() {
    return specs;
  }

  /** The rows that are not subcommands. */
  public List<CommandSpec> commands() {
    return commands;
  }

  /** The command with a name in any case; no subcommands. No allocation. */
  public @Nullable CommandSpec find(byte[] bytes, int offset, int length) {
    return index.find(bytes, offset, length);
  }

  /** The row with a name in any case: {@code get}, {@code CONFIG GET} or {@code config|get}. */
  public @Nullable CommandSpec find(String name) {
    int split = Math.max(name.indexOf(' '), name.indexOf('|'));
    if (split < 0) {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      return find(bytes, 0, bytes.length);
    }
    CommandSpec container = find(name.substring(0, split));
    byte[] rest = name.substring(split + 1).getBytes(StandardCharsets.UTF_8);
    return container == null ? null : container.sub(rest, 0, rest.length);
  }

  /** Returns the row of an existing name. */
  public CommandSpec require(String name) {
    CommandSpec spec = find(name);
    if (spec == null) {
      throw new IllegalArgumentException("no such command: " + name);
    }
    return spec;
  }
}
