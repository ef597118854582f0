package dev.kermes.server.command.server;

import static dev.kermes.server.command.MapEntries.number;

import dev.kermes.commands.AclCategory;
import dev.kermes.commands.ArgumentType;
import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.commands.KeyFinder;
import dev.kermes.commands.KeyFlag;
import dev.kermes.commands.KeySpec;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.CallArguments;
import dev.kermes.server.data.pattern.Glob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The replies of COMMAND: the command table in Redis's shapes. */
final class CommandReplies {

  private final CommandTable table;
  private final RespWriter reply;

  private CommandReplies(Call call) {
    table = call.execution().table();
    reply = call.reply();
  }

  // COMMAND, COMMAND INFO

  static void all(Call call) {
    CommandReplies replies = new CommandReplies(call);
    replies.reply.array(replies.table.commands().size());
    for (CommandSpec spec : replies.table.commands()) replies.info(spec);
  }

  static void info(Call call) {
    if (call.argc() == 2) {
      all(call);
      return;
    }
    CommandReplies replies = new CommandReplies(call);
    replies.reply.array(call.argc() - 2);
    for (int i = 2; i < call.argc(); i++) {
      CommandSpec spec = replies.table.find(call.text(i));
      if (spec == null) replies.reply.nil();
      else replies.info(spec);
    }
  }

  private void info(CommandSpec spec) {
    reply.array(10);
    reply.bulk(spec.fullName());
    reply.integer(spec.arity());
    replyFlags(spec.flags());
    reply.integer(spec.firstKey());
    reply.integer(spec.lastKey());
    reply.integer(spec.keyStep());
    reply.set(spec.categories().size());
    for (AclCategory category : spec.categories()) reply.simple("@" + category.label());
    reply.set(spec.tips().size());
    for (String tip : spec.tips()) reply.bulk(tip);
    reply.set(spec.keySpecs().size());
    for (KeySpec keySpec : spec.keySpecs()) keySpec(keySpec);
    reply.set(spec.subcommands().size());
    for (CommandSpec sub : spec.subcommands()) info(sub);
  }

  private void replyFlags(Set<CommandFlag> flags) {
    List<CommandFlag> shown = flags.stream().filter(CommandFlag::isPublic).toList();
    reply.set(shown.size());
    for (CommandFlag flag : shown) reply.simple(flag.label());
  }

  private void replyTexts(Collection<String> texts) {
    reply.array(texts.size());
    for (String text : texts) reply.bulk(text);
  }

  private void keySpec(KeySpec spec) {
    reply.map(3);
    reply.bulk("flags");
    reply.set(spec.flags().size());
    for (KeyFlag flag : spec.flags()) reply.simple(flag.label());
    reply.bulk("begin_search");
    beginSearch(spec.beginSearch());
    reply.bulk("find_keys");
    findKeys(spec.findKeys());
  }

  private void beginSearch(KeySpec.BeginSearch search) {
    switch (search) {
      case KeySpec.Index index -> {
        step("index", 1);
        number(reply, "index", index.position());
      }
      case KeySpec.Keyword keyword -> {
        step("keyword", 2);
        reply.bulk("keyword");
        reply.bulk(keyword.keyword());
        number(reply, "startfrom", keyword.startFrom());
      }
      case KeySpec.Unknown unknown -> step("unknown", 0);
    }
  }

  private void findKeys(KeySpec.FindKeys keys) {
    switch (keys) {
      case KeySpec.Range range -> {
        step("range", 3);
        number(reply, "lastkey", range.lastKey());
        number(reply, "keystep", range.step());
        number(reply, "limit", range.limit());
      }
      case KeySpec.KeyNum keyNum -> {
        step("keynum", 3);
        number(reply, "keynumidx", keyNum.keyNumIndex());
        number(reply, "firstkey", keyNum.firstKey());
        number(reply, "keystep", keyNum.step());
      }
      case KeySpec.Unknown unknown -> step("unknown", 0);
    }
  }

  private void step(String type, int fields) {
    reply.map(2);
    reply.bulk("type");
    reply.bulk(type);
    reply.bulk("spec");
    reply.map(fields);
  }

  // COMMAND DOCS

  static void docs(Call call) {
    CommandReplies replies = new CommandReplies(call);
    List<CommandSpec> specs = new ArrayList<>();
    for (int i = 2; i < call.argc(); i++) {
      CommandSpec spec = replies.table.find(call.text(i));
      if (spec != null) specs.add(spec);
    }
    replies.docs(call.argc() == 2 ? replies.table.commands() : specs);
  }

  private void docs(List<CommandSpec> specs) {
    reply.map(specs.size());
    for (CommandSpec spec : specs) {
      reply.bulk(spec.fullName());
      doc(spec);
    }
  }

  private void doc(CommandSpec spec) {
    boolean isDeprecated = spec.deprecatedSince() != null;
    int fields = 3;
    if (!spec.complexity().isEmpty()) fields++;
    if (!spec.docFlags().isEmpty()) fields++;
    if (isDeprecated) fields++;
    if (spec.replacedBy() != null) fields++;
    if (!spec.arguments().isEmpty()) fields++;
    if (spec.hasSubcommands()) fields++;
    reply.map(fields);
    text("summary", spec.summary());
    text("since", spec.since());
    text("group", spec.group());
    if (!spec.complexity().isEmpty()) text("complexity", spec.complexity());
    if (!spec.docFlags().isEmpty()) {
      reply.bulk("doc_flags");
      reply.set(spec.docFlags().size());
      for (String flag : spec.docFlags()) reply.simple(flag);
    }
    if (isDeprecated) text("deprecated_since", spec.deprecatedSince());
    if (spec.replacedBy() != null) text("replaced_by", spec.replacedBy());
    if (!spec.arguments().isEmpty()) {
      reply.bulk("arguments");
      arguments(spec.arguments());
    }
    if (spec.hasSubcommands()) {
      reply.bulk("subcommands");
      docs(spec.subcommands());
    }
  }

  private void text(String name, @Nullable String value) {
    if (value == null) return;
    reply.bulk(name);
    reply.bulk(value);
  }

  private void arguments(List<CommandArgument> arguments) {
    reply.array(arguments.size());
    for (CommandArgument argument : arguments) argument(argument);
  }

  private void argument(CommandArgument argument) {
    List<String> flags = new ArrayList<>();
    if (argument.optional()) flags.add("optional");
    if (argument.multiple()) flags.add("multiple");
    if (argument.multipleToken()) flags.add("multiple_token");
    boolean hasDisplay = !argument.hasChildren();
    int fields = 2;
    if (hasDisplay) fields++;
    if (argument.keySpecIndex() >= 0) fields++;
    if (argument.token() != null) fields++;
    if (argument.since() != null) fields++;
    if (argument.deprecatedSince() != null) fields++;
    if (!flags.isEmpty()) fields++;
    if (argument.hasChildren()) fields++;
    reply.map(fields);
    text("name", argument.name());
    text("type", typeName(argument.type()));
    if (hasDisplay) text("display_text", argument.displayText());
    if (argument.keySpecIndex() >= 0) number(reply, "key_spec_index", argument.keySpecIndex());
    text("token", argument.token());
    text("since", argument.since());
    text("deprecated_since", argument.deprecatedSince());
    if (!flags.isEmpty()) {
      reply.bulk("flags");
      reply.set(flags.size());
      for (String flag : flags) reply.simple(flag);
    }
    if (argument.hasChildren()) {
      reply.bulk("arguments");
      arguments(argument.children());
    }
  }

  private static String typeName(ArgumentType type) {
    return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  // COMMAND LIST

  static void list(Call call) {
    CommandReplies replies = new CommandReplies(call);
    List<String> names = new ArrayList<>();
    boolean isFiltered = call.argc() == 5 && call.is(2, "FILTERBY");
    if (call.argc() != 2 && !isFiltered) {
      call.syntaxError();
      return;
    }
    for (CommandSpec spec : replies.table.commands()) {
      if (!isFiltered || accepts(call, spec)) names.add(spec.fullName());
      for (CommandSpec sub : spec.subcommands()) {
        if (!isFiltered || accepts(call, sub)) names.add(sub.fullName());
      }
      if (call.failed()) return;
    }
    replies.replyTexts(names);
  }

  private static boolean accepts(Call call, CommandSpec spec) {
    if (call.is(3, "MODULE")) return false;
    if (call.is(3, "ACLCAT")) {
      String wanted = call.text(4).toLowerCase(Locale.ROOT);
      return spec.categories().stream().anyMatch(category -> category.label().equals(wanted));
    }
    if (call.is(3, "PATTERN")) {
      byte[] name = spec.fullName().getBytes(StandardCharsets.US_ASCII);
      String pattern = call.text(4).toLowerCase(Locale.ROOT);
      return Glob.matches(pattern.getBytes(StandardCharsets.ISO_8859_1), name);
    }
    call.syntaxError();
    return false;
  }

  // COMMAND GETKEYS

  /** A key's position and flags. */
  private record Found(int position, Set<KeyFlag> flags) {}

  static void keys(Call call, boolean withFlags) {
    CommandReplies replies = new CommandReplies(call);
    CommandSpec spec = Arguments.command(call, 2);
    int argc = call.argc() - 2;
    if (spec == null) {
      call.error("ERR Invalid command specified");
    } else if (spec.keySpecs().isEmpty()) {
      call.error("ERR The command has no key arguments");
    } else if (!spec.accepts(argc)) {
      call.error("ERR Invalid number of arguments specified for command");
    } else {
      List<Found> found = new ArrayList<>();
      int count =
          KeyFinder.find(
              spec,
              new CallArguments(call, 2),
              (position, flags) -> found.add(new Found(position, flags)));
      boolean needsKeys = !spec.has(CommandFlag.NO_MANDATORY_KEYS);
      if (count < 0 || count == 0 && needsKeys)
        call.error("ERR Invalid arguments specified for command");
      else replies.keys(call, found, withFlags);
    }
  }

  private void keys(Call call, List<Found> found, boolean withFlags) {
    reply.array(found.size());
    for (Found key : found) {
      if (withFlags) reply.array(2);
      reply.bulk(call.arg(2 + key.position()));
      if (!withFlags) continue;
      reply.set(key.flags().size());
      for (KeyFlag flag : key.flags()) reply.simple(flag.label());
    }
  }
}
