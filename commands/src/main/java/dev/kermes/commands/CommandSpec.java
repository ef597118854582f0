package dev.kermes.commands;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one command or subcommand. Immutable; any thread.
 *
 * <p>Properties that the server needs for every call are fields; the argument tree and the reply
 * shapes are parsed on first use.
 */
public final class CommandSpec {
  private final int id;
  private final CommandRow row;
  private final String fullName;
  private final Set<CommandFlag> flags;
  private final Set<AclCategory> categories;
  private final List<KeySpec> keySpecs;
  private final @Nullable CommandSpec container;
  private final LegacyKeyRange legacyKeyRange;
  private final int flagBits;
  private List<CommandSpec> subcommands = List.of();
  private @Nullable NameIndex<CommandSpec> subcommandIndex;
  private volatile @Nullable List<CommandArgument> arguments;
  private volatile @Nullable ReplyShape reply;
  private volatile @Nullable List<ReplyShape.Variant> replyVariants;

  CommandSpec(int id, CommandRow row, @Nullable CommandSpec container) {
    this.id = id;
    this.row = row;
    this.container = container;
    this.fullName = row.name.toLowerCase(Locale.ROOT).replace(' ', '|');
    this.keySpecs = List.copyOf(row.keySpecs);
    this.legacyKeyRange = LegacyKeyRange.of(keySpecs);
    this.flags = Collections.unmodifiableSet(flags(row, legacyKeyRange));
    this.categories = Collections.unmodifiableSet(categories(row));
    this.flagBits = bits(flags);
  }

  /** Called once, before the table is published. */
  void setSubcommands(List<CommandSpec> specs) {
    subcommands = List.copyOf(specs);
    subcommandIndex = indexOf(subcommands);
  }

  static NameIndex<CommandSpec> indexOf(List<CommandSpec> specs) {
    List<String> names = new ArrayList<>(specs.size());
    for (CommandSpec spec : specs) {
      names.add(spec.shortName());
    }
    return new NameIndex<>(names, specs);
  }

  private static Set<CommandFlag> flags(CommandRow row, LegacyKeyRange range) {
    if (range.hasMovableKeys()) {
      row.flags.add(CommandFlag.MOVABLEKEYS);
    }
    return row.flags;
  }

  private static Set<AclCategory> categories(CommandRow row) {
    Set<AclCategory> categories = EnumSet.noneOf(AclCategory.class);
    categories.addAll(row.categories);
    for (CommandFlag flag : row.flags) {
      categories.addAll(impliedBy(flag, row.categories));
    }
    if (!categories.contains(AclCategory.FAST)) {
      categories.add(AclCategory.SLOW);
    }
    return categories;
  }

  private static List<AclCategory> impliedBy(CommandFlag flag, Set<AclCategory> explicit) {
    return switch (flag) {
      case WRITE -> List.of(AclCategory.WRITE);
      case READONLY ->
          explicit.contains(AclCategory.SCRIPTING) ? List.of() : List.of(AclCategory.READ);
      case ADMIN -> List.of(AclCategory.ADMIN, AclCategory.DANGEROUS);
      case PUBSUB -> List.of(AclCategory.PUBSUB);
      case FAST -> List.of(AclCategory.FAST);
      case BLOCKING -> List.of(AclCategory.BLOCKING);
      default -> List.of();
    };
  }

  private static int bits(Set<CommandFlag> flags) {
    int bits = 0;
    for (CommandFlag flag : flags) {
      bits |= flag.bit();
    }
    return bits;
  }

  /** The index in the table, from 0 without gaps; stable only within one build. */
  public int id() {
    return id;
  }

  /** The name in upper case, a subcommand with its container: {@code CONFIG GET}. */
  public String name() {
    return row.name;
  }

  /** The name without its container: {@code GET} of {@code CONFIG GET}. */
  public String shortName() {
    return row.name.substring(row.name.indexOf(' ') + 1);
  }

  /** The name as COMMAND INFO and ACL rules write it: {@code config|get}. */
  public String fullName() {
    return fullName;
  }

  /** The name as a Java method: {@code configGet}, {@code clientNoEvict}, {@code sortRo}. */
  public String methodName() {
    String[] words = row.name.toLowerCase(Locale.ROOT).split("[ _-]", -1);
    StringBuilder name = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i], 1, words[i].length());
    }
    return name.toString();
  }

  /** Whether it is for clients that use data, rather than for the nodes of a cluster. */
  public boolean isForClients() {
    return !row.family.name().equals("cluster") && !has(CommandFlag.ASKING);
  }

  /** The family of data or tasks that the command belongs to. */
  public CommandFamily family() {
    return row.family;
  }

  /** The group that COMMAND DOCS reports: {@code sorted-set}. */
  public String group() {
    return row.family.group();
  }

  /** The container of this subcommand. */
  public @Nullable CommandSpec container() {
    return container;
  }

  /** The subcommands in the order of the table; empty if there are none. */
  public List<CommandSpec> subcommands() {
    return subcommands;
  }

  /** Whether it is a container, such as CONFIG. */
  public boolean hasSubcommands() {
    return subcommandIndex != null;
  }

  /** Whether it can be called itself; a container needs a subcommand. */
  public boolean isCallable() {
    return !row.isContainer;
  }

  /** The subcommand with a name in any case. No allocation. */
  public @Nullable CommandSpec sub(byte[] bytes, int offset, int length) {
    NameIndex<CommandSpec> index = subcommandIndex;
    return index == null ? null : index.find(bytes, offset, length);
  }

  /** The number of arguments including the name; negative: at least this number. */
  public int arity() {
    return row.arity;
  }

  /** Whether a call with this number of arguments, name included, is allowed. */
  public boolean accepts(int argc) {
    int arity = row.arity;
    return arity > 0 ? argc == arity : argc >= -arity;
  }

  /** All flags, {@link CommandFlag#MOVABLEKEYS} included; unmodifiable. */
  public Set<CommandFlag> flags() {
    return flags;
  }

  /** Whether the table gives it that flag. */
  public boolean has(CommandFlag flag) {
    return (flagBits & flag.bit()) != 0;
  }

  /** Whether it may change data. */
  public boolean isWrite() {
    return has(CommandFlag.WRITE);
  }

  /** Whether it reads data and never changes any. */
  public boolean isReadOnly() {
    return has(CommandFlag.READONLY);
  }

  /** Whether it is refused while memory is over {@code maxmemory}. */
  public boolean isDenyOom() {
    return has(CommandFlag.DENYOOM);
  }

  /** Whether it administers the server. */
  public boolean isAdmin() {
    return has(CommandFlag.ADMIN);
  }

  /** Whether it belongs to publish/subscribe. */
  public boolean isPubSub() {
    return has(CommandFlag.PUBSUB);
  }

  /** Whether it may wait for data. */
  public boolean isBlocking() {
    return has(CommandFlag.BLOCKING);
  }

  /** Whether it takes constant or logarithmic time. */
  public boolean isFast() {
    return has(CommandFlag.FAST);
  }

  /** Whether its work is bounded by its length; a message may have many receivers. */
  public boolean isBrief() {
    return (isFast() || has(CommandFlag.BRIEF)) && !isPubSub();
  }

  /** Whether it is allowed while the data are being loaded. */
  public boolean isLoading() {
    return has(CommandFlag.LOADING);
  }

  /** Whether a replica without its master executes it. */
  public boolean isStale() {
    return has(CommandFlag.STALE);
  }

  /** Whether scripts may not call it. */
  public boolean noScript() {
    return has(CommandFlag.NOSCRIPT);
  }

  /** Whether it needs no authentication. */
  public boolean noAuth() {
    return has(CommandFlag.NO_AUTH);
  }

  /** Whether transactions may not contain it. */
  public boolean noMulti() {
    return has(CommandFlag.NO_MULTI);
  }

  /** Whether it waits for EXEC after MULTI. */
  public boolean isQueued() {
    return !has(CommandFlag.UNQUEUED);
  }

  /** Whether it is allowed while a script blocks the server. */
  public boolean allowsBusy() {
    return has(CommandFlag.ALLOW_BUSY);
  }

  /** Whether it may be replicated although it is not a write. */
  public boolean mayReplicate() {
    return has(CommandFlag.MAY_REPLICATE);
  }

  /** Whether MONITOR does not show it. */
  public boolean skipsMonitor() {
    return has(CommandFlag.SKIP_MONITOR);
  }

  /** Whether the slow log leaves it out. */
  public boolean skipsSlowLog() {
    return has(CommandFlag.SKIP_SLOWLOG);
  }

  /** The argument that says how long it waits in the server; null if it does not wait. */
  public @Nullable WaitArgument waitArgument() {
    return row.waitArgument;
  }

  /** All categories, including those that the flags imply; unmodifiable. */
  public Set<AclCategory> categories() {
    return categories;
  }

  /** The rules that say which of its arguments are keys. */
  public List<KeySpec> keySpecs() {
    return keySpecs;
  }

  /** The first key's position for clients that know no key specs; 0: no keys at fixed positions. */
  public int firstKey() {
    return legacyKeyRange.firstKey();
  }

  /** The last key's position for such clients; negative: from the end. */
  public int lastKey() {
    return legacyKeyRange.lastKey();
  }

  /** The distance between keys for such clients. */
  public int keyStep() {
    return legacyKeyRange.step();
  }

  /** The argument tree, without the name. */
  public List<CommandArgument> arguments() {
    List<CommandArgument> parsed = arguments;
    if (parsed == null) {
      parsed = UsageParser.parse(row.usage, row.file, row.line);
      arguments = parsed;
    }
    return parsed;
  }

  /** The usage in one line: {@code SADD key member [member ...]}. */
  public String usage() {
    List<CommandArgument> all = arguments();
    return all.isEmpty() ? name() : name() + " " + CommandArgument.usage(all, " ");
  }

  /** The shape of the reply when no option changes it; ANY for a container. */
  public ReplyShape reply() {
    ReplyShape parsed = reply;
    if (parsed == null) {
      parsed =
          isCallable()
              ? ReplyShapeParser.base(row)
              : new ReplyShape(ReplyShape.Kind.ANY, "", List.of(), false);
      reply = parsed;
    }
    return parsed;
  }

  /** The optional arguments that change the shape of the reply. */
  public List<ReplyShape.Variant> replyVariants() {
    List<ReplyShape.Variant> parsed = replyVariants;
    if (parsed == null) {
      parsed = ReplyShapeParser.variants(row);
      replyVariants = parsed;
    }
    return parsed;
  }

  /** The version of Redis that introduced the command. */
  public String since() {
    return row.since;
  }

  /** The time complexity; empty for a container. */
  public String complexity() {
    return row.cost;
  }

  /** One line about what it does. */
  public String summary() {
    return row.summary;
  }

  /** Hints for client libraries, as COMMAND INFO lists them. */
  public List<String> tips() {
    return row.tips;
  }

  /** The release that deprecated it, or null. */
  public @Nullable String deprecatedSince() {
    return row.deprecatedSince;
  }

  /** The command to use instead if it is deprecated, or null. */
  public @Nullable String replacedBy() {
    return row.replacedBy;
  }

  /** The flags that COMMAND DOCS reports: {@code deprecated}, {@code syscmd}. */
  public List<String> docFlags() {
    List<String> labels = new ArrayList<>(2);
    if (row.deprecatedSince != null) {
      labels.add("deprecated");
    }
    if (row.isSystem) {
      labels.add("syscmd");
    }
    return labels;
  }

  /** The file and the line of the row. */
  public String origin() {
    return row.file + ":" + row.line;
  }

  @Override
  public String toString() {
    return row.name;
  }
}
