package dev.kermes.server.acl;

import static java.util.stream.Collectors.joining;

import dev.kermes.commands.AclCategory;
import dev.kermes.commands.CommandArguments;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.server.data.pattern.Glob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A set of permissions: commands, together with the keys, channels and databases they may touch. A
 * user has a root selector and any number of others. A call is allowed if one selector allows all
 * of it.
 *
 * <p>Rules about commands are kept as they were given, as in Redis since 7.2, so that ACL LIST
 * shows the user's own words. Texts have a character per byte. Guarded by the keyspace lock.
 */
final class Selector {

  static final String UNKNOWN_COMMAND = "Unknown command or category name in ACL";
  private static final String SYNTAX = "Syntax error";
  private static final String AFTER_ALL_KEYS =
      "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have"
          + " any effect. Try 'resetkeys' to start with an empty list of patterns";
  private static final String AFTER_ALL_CHANNELS =
      "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not"
          + " have any effect. Try 'resetchannels' to start with an empty list of channels";
  private static final String NO_DATABASE = "The provided database ID is out of range";
  private static final String ARGUMENT_OF_SUBCOMMAND =
      "Allowing first-arg of a subcommand is not supported";
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

  private final CommandTable table;

  /** The ids of the commands that may be called with any arguments. */
  private final BitSet commands = new BitSet();

  /** By command id: the first arguments with which an otherwise forbidden command may be called. */
  private final Map<Integer, Set<String>> firstArguments = new HashMap<>();

  private boolean startsWithAllCommands;
  private final List<String> commandRules = new ArrayList<>();
  private boolean allKeys;
  private final Map<String, KeyPattern> keys = new LinkedHashMap<>();
  private boolean allChannels;
  private final Set<String> channels = new LinkedHashSet<>();
  private boolean allDatabases = true;

  /** Ascending; the array is never changed, only replaced. */
  private int[] databases = {};

  Selector(CommandTable table) {
    this.table = table;
  }

  /** Returns a selector with the same permissions. */
  Selector copy() {
    Selector copy = new Selector(table);
    copy.commands.or(commands);
    firstArguments.forEach((id, words) -> copy.firstArguments.put(id, new LinkedHashSet<>(words)));
    copy.startsWithAllCommands = startsWithAllCommands;
    copy.commandRules.addAll(commandRules);
    copy.allKeys = allKeys;
    copy.keys.putAll(keys);
    copy.allChannels = allChannels;
    copy.channels.addAll(channels);
    copy.allDatabases = allDatabases;
    copy.databases = databases;
    return copy;
  }

  // Rules

  /**
   * Applies a rule such as {@code +get}, {@code -@write} or {@code ~key:*}. Returns the mistake in
   * it, or null.
   */
  @Nullable String apply(String rule) {
    switch (rule.toLowerCase(Locale.ROOT)) {
      case "allkeys", "~*" -> allKeys(true);
      case "resetkeys" -> allKeys(false);
      case "allchannels", "&*" -> allChannels(true);
      case "resetchannels" -> allChannels(false);
      case "alldbs" -> allDatabases(true);
      case "resetdbs" -> allDatabases(false);
      case "allcommands", "+@all" -> allCommands(true);
      case "nocommands", "-@all" -> allCommands(false);
      default -> {
        return applyToOne(rule);
      }
    }
    return null;
  }

  private @Nullable String applyToOne(String rule) {
    if (rule.regionMatches(true, 0, "db=", 0, 3)) return onlyDatabases(rule.substring(3));
    String rest = rule.isEmpty() ? "" : rule.substring(1);
    boolean isCategory = rest.startsWith("@");
    return switch (rule.isEmpty() ? ' ' : rule.charAt(0)) {
      case '~' -> addKeys(rest, true, true);
      case '%' -> addKeysWithFlags(rest);
      case '&' -> addChannels(rest);
      case '+' -> isCategory ? category(rest, true) : allow(rest);
      case '-' -> isCategory ? category(rest, false) : deny(rest);
      default -> SYNTAX;
    };
  }

  private void allKeys(boolean areAllowed) {
    allKeys = areAllowed;
    keys.clear();
  }

  void allChannels(boolean areAllowed) {
    allChannels = areAllowed;
    channels.clear();
  }

  private void allDatabases(boolean areAllowed) {
    allDatabases = areAllowed;
    databases = new int[0];
  }

  private void allCommands(boolean areAllowed) {
    startsWithAllCommands = areAllowed;
    commands.set(0, table.size(), areAllowed);
    commandRules.clear();
    firstArguments.clear();
  }

  /** Adds {@code R~pattern}, {@code W~pattern} or {@code RW~pattern}. */
  private @Nullable String addKeysWithFlags(String rest) {
    int tilde = rest.indexOf('~');
    String flags = rest.substring(0, Math.max(tilde, 0)).toUpperCase(Locale.ROOT);
    return switch (flags) {
      case "R" -> addKeys(rest.substring(tilde + 1), true, false);
      case "W" -> addKeys(rest.substring(tilde + 1), false, true);
      case "RW", "WR" -> addKeys(rest.substring(tilde + 1), true, true);
      default -> allKeys ? AFTER_ALL_KEYS : SYNTAX;
    };
  }

  private @Nullable String addKeys(String pattern, boolean reads, boolean writes) {
    if (allKeys) return AFTER_ALL_KEYS;
    if (!isOneWord(pattern)) return SYNTAX;
    keys.merge(pattern, KeyPattern.of(pattern, reads, writes), KeyPattern::and);
    return null;
  }

  private @Nullable String addChannels(String pattern) {
    if (allChannels) return AFTER_ALL_CHANNELS;
    if (!isOneWord(pattern)) return SYNTAX;
    channels.add(pattern);
    return null;
  }

  /** Allows only the databases of a list {@code 0,1,...}, whether or not the server has them. */
  private @Nullable String onlyDatabases(String list) {
    String[] words = list.split(",", -1);
    int[] ids = new int[words.length];
    for (int i = 0; i < words.length; i++) {
      if (!INTEGER.matcher(words[i]).matches()) return SYNTAX;
      ids[i] = databaseId(words[i]);
      if (ids[i] < 0) return NO_DATABASE;
    }
    allDatabases = false;
    databases = Arrays.stream(ids).sorted().distinct().toArray();
    return null;
  }

  /** The number of a database that some server could have; negative if no server could. */
  private static int databaseId(String integer) {
    try {
      return Integer.parseInt(integer);
    } catch (NumberFormatException e) { // too many digits
      return -1;
    }
  }

  /**
   * Whether a text has no white space and no null byte, so that it can be a word in a line of a
   * file.
   */
  static boolean isOneWord(String text) {
    return text.chars().noneMatch(c -> c == 0 || c == ' ' || c >= '\t' && c <= '\r');
  }

  private @Nullable String allow(String name) {
    int bar = name.lastIndexOf('|');
    CommandSpec spec = find(bar < 0 ? name : name.substring(0, bar));
    if (spec == null) return UNKNOWN_COMMAND;
    if (bar < 0) {
      set(spec, true);
      keepRule('+', spec.fullName());
      return null;
    }
    if (spec.container() != null) return ARGUMENT_OF_SUBCOMMAND;
    String word = name.substring(bar + 1);
    if (word.isEmpty()) return SYNTAX;
    if (spec.hasSubcommands()) {
      CommandSpec sub = find(name);
      if (sub == null) return UNKNOWN_COMMAND;
      set(sub, true);
    } else {
      firstArguments
          .computeIfAbsent(spec.id(), id -> new LinkedHashSet<>())
          .add(word.toLowerCase(Locale.ROOT));
    }
    keepRule('+', name.toLowerCase(Locale.ROOT));
    return null;
  }

  private @Nullable String deny(String name) {
    CommandSpec spec = find(name);
    if (spec == null) return UNKNOWN_COMMAND;
    set(spec, false);
    keepRule('-', spec.fullName());
    return null;
  }

  private @Nullable String category(String name, boolean isAllowed) {
    AclCategory category = AclCategory.find(name.substring(1));
    if (category == null) return UNKNOWN_COMMAND;
    keepRule(isAllowed ? '+' : '-', "@" + category.label());
    for (CommandSpec spec : table.all()) {
      if (spec.categories().contains(category) && spec.isCallable()) set(spec, isAllowed);
    }
    return null;
  }

  private @Nullable CommandSpec find(String name) {
    return isOneWord(name) ? table.find(name) : null;
  }

  /** Allows or denies a command and its subcommands. */
  private void set(CommandSpec spec, boolean isAllowed) {
    commands.set(spec.id(), isAllowed);
    firstArguments.remove(spec.id());
    for (CommandSpec sub : spec.subcommands()) commands.set(sub.id(), isAllowed);
  }

  /** Keeps a rule, and removes the rules that it makes void. */
  private void keepRule(char sign, String name) {
    commandRules.removeIf(rule -> {
      String old = rule.substring(1);
      return old.equals(name) || old.startsWith(name + "|");
    });
    commandRules.add(sign + name);
  }

  // Checks

  /** Whether everything is allowed, so that no call needs a check. */
  boolean isUnrestricted() {
    return allKeys && allChannels && allDatabases && commands.cardinality() == table.size();
  }

  /** The reason why a call is denied; null if it is allowed. */
  @Nullable Denial check(
      CommandSpec spec,
      CommandArguments arguments,
      CallKeys callKeys,
      CallDatabases callDatabases) {
    Denial ofDatabase = allDatabases ? null : checkDatabases(callDatabases);
    if (ofDatabase != null) return ofDatabase;
    if (!allows(spec, arguments)) return Denial.OF_COMMAND;
    if (!allKeys && !spec.keySpecs().isEmpty()) {
      for (CallKeys.Key key : callKeys.all()) {
        if (!allowsKey(key, arguments)) return new Denial(Denial.Reason.KEY, key.index());
      }
    }
    return allChannels ? null : checkChannels(spec, arguments);
  }

  private @Nullable Denial checkDatabases(CallDatabases callDatabases) {
    for (CallDatabases.Use use : callDatabases.all()) {
      if (Arrays.binarySearch(databases, use.database()) < 0) {
        return new Denial(Denial.Reason.DATABASE, use.argument());
      }
    }
    return null;
  }

  private boolean allows(CommandSpec spec, CommandArguments arguments) {
    if (spec.noAuth() || commands.get(spec.id())) return true;
    Set<String> words = firstArguments.get(spec.id());
    return words != null
        && arguments.argc() > 1
        && words.contains(text(arguments, 1).toLowerCase(Locale.ROOT));
  }

  private boolean allowsKey(CallKeys.Key key, CommandArguments arguments) {
    int i = key.index();
    for (KeyPattern pattern : keys.values()) {
      if (pattern.allows(key.isRead(), key.isWritten())
          && pattern.glob().matches(arguments.array(i), arguments.offset(i), arguments.length(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether all keys may be read, which SORT requires for patterns of keys. */
  boolean readsAllKeys() {
    if (allKeys) return true;
    KeyPattern all = keys.get("*");
    return all != null && all.reads();
  }

  private @Nullable Denial checkChannels(CommandSpec spec, CommandArguments arguments) {
    return switch (spec.name()) {
      case "PUBLISH", "SPUBLISH" -> checkChannels(arguments, 2, false);
      case "SUBSCRIBE", "SSUBSCRIBE" -> checkChannels(arguments, arguments.argc(), false);
      case "PSUBSCRIBE" -> checkChannels(arguments, arguments.argc(), true);
      default -> null;
    };
  }

  private @Nullable Denial checkChannels(CommandArguments arguments, int end, boolean arePatterns) {
    for (int i = 1; i < end; i++) {
      if (!allowsChannel(text(arguments, i), arePatterns)) {
        return new Denial(Denial.Reason.CHANNEL, i);
      }
    }
    return null;
  }

  /**
   * Whether a pattern matches the channel. If {@code isPattern}, whether one equals the pattern to
   * subscribe to.
   */
  boolean allowsChannel(String channel, boolean isPattern) {
    if (allChannels) return true;
    for (String pattern : channels) {
      if (isPattern ? pattern.equals(channel) : Glob.matches(bytes(pattern), bytes(channel))) {
        return true;
      }
    }
    return false;
  }

  static String text(CommandArguments arguments, int i) {
    return new String(
        arguments.array(i), arguments.offset(i), arguments.length(i), StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  // Description

  String describeCommands() {
    String first = startsWithAllCommands ? "+@all" : "-@all";
    return commandRules.isEmpty() ? first : first + " " + String.join(" ", commandRules);
  }

  String describeKeys() {
    if (allKeys) return "~*";
    return String.join(" ", keys.values().stream().map(KeyPattern::toString).toList());
  }

  String describeChannels() {
    if (allChannels) return "&*";
    return String.join(" ", channels.stream().map(channel -> "&" + channel).toList());
  }

  boolean allowsAllDatabases() {
    return allDatabases;
  }

  String describeDatabases() {
    if (allDatabases) return "alldbs";
    if (databases.length == 0) return "";
    return "db=" + Arrays.stream(databases).mapToObj(String::valueOf).collect(joining(","));
  }

  /** All rules in one line; applied to an empty selector, they make this one. */
  String describe() {
    StringBuilder line = new StringBuilder();
    if (allKeys || !keys.isEmpty()) line.append(describeKeys()).append(' ');
    if (!allChannels) line.append("resetchannels ");
    if (allChannels || !channels.isEmpty()) line.append(describeChannels()).append(' ');
    // Left out if all databases are allowed, for servers that do not know the rule.
    if (!allDatabases)
      line.append(databases.length == 0 ? "resetdbs" : describeDatabases()).append(' ');
    return line.append(describeCommands()).toString();
  }
}
