package dev.kermes.server.testing.random;

import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random commands made from the command table: every command, with arguments of the types in the
 * table, and with or without its options. Sometimes a word is added, missing or wrong.
 */
public final class TableCommands {

  /** Commands that stop, pause or reconfigure the server, or end other clients' connections. */
  private static final String FORBIDDEN =
      "shutdown|debug.*|replicaof|slaveof|psync|sync|failover|migrate|client\\|pause|client\\|kill"
          + "|config\\|set|config\\|rewrite|acl.*";

  private static final String[] KEYS = {"k", "l", "m", "n", "o", "", "key with blanks", "k\u0000"};
  private static final String[] STRINGS = {
    "a",
    "b",
    "c",
    "",
    "1",
    "-1",
    "0-0",
    "5-1",
    "*",
    "$",
    ">",
    "+",
    "-",
    "[a",
    "(b",
    "inf",
    "(1",
    "x*",
    "return 1",
    "#!lua name=x\n",
    "\u00ff\u0000\r\n",
    "1,2",
    "u8",
    "i64",
    "yes",
    "on",
    "bcast",
    "a=b"
  };
  private static final String[] NUMBERS = {
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-2",
    "10",
    "100",
    "4294967295",
    "536870911",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1e3",
    "0x1",
    " 1",
    "01"
  };
  private static final String[] DECIMALS = {
    "0", "1", "-1", "0.5", "1e308", "-1e308", "inf", "-inf", "nan", "3.0e-5", "1e400", "0x1p3"
  };

  private final Random random;
  private final List<CommandSpec> specs = new ArrayList<>();

  public TableCommands(Random random) {
    this.random = random;
    for (CommandSpec spec : CommandTable.standard().all()) {
      if (spec.isCallable() && !spec.fullName().matches(FORBIDDEN)) specs.add(spec);
    }
  }

  /** One command, ready to be encoded. */
  public List<String> next() {
    List<String> words = next(specs.get(random.nextInt(specs.size())));
    while (random.nextInt(12) == 0) disturb(words);
    return words;
  }

  /** One command of that kind, in which every word is as the table has it. */
  public List<String> next(CommandSpec spec) {
    List<String> words = new ArrayList<>(List.of(spec.name().split(" ")));
    for (CommandArgument argument : spec.arguments()) addIfWanted(argument, words, 0);
    return words;
  }

  /** The commands that it produces. */
  public List<CommandSpec> specs() {
    return specs;
  }

  private void addIfWanted(CommandArgument argument, List<String> words, int depth) {
    if (argument.optional() && random.nextInt(3) != 0) return;
    int times = argument.multiple() ? 1 + random.nextInt(depth == 0 ? 4 : 2) : 1;
    for (int i = 0; i < times; i++) {
      if (argument.token() != null && (i == 0 || argument.multipleToken())) {
        words.add(argument.token());
      }
      addBody(argument, words, depth);
    }
  }

  private void addBody(CommandArgument argument, List<String> words, int depth) {
    List<CommandArgument> children = argument.children();
    switch (argument.type()) {
      case PURE_TOKEN -> {}
      case ONEOF -> addIfWanted(children.get(random.nextInt(children.size())), words, depth + 1);
      case BLOCK -> children.forEach(child -> addIfWanted(child, words, depth + 1));
      case KEY -> words.add(pick(KEYS));
      case INTEGER, UNIX_TIME -> words.add(pick(random.nextInt(4) == 0 ? NUMBERS : SMALL));
      case DOUBLE -> words.add(pick(DECIMALS));
      default -> words.add(pick(random.nextInt(3) == 0 ? KEYS : STRINGS));
    }
  }

  private static final String[] SMALL = {"0", "1", "2", "3", "5"};

  private void disturb(List<String> words) {
    int at = random.nextInt(words.size());
    switch (random.nextInt(4)) {
      case 0 -> words.add(at, pick(STRINGS));
      case 1 -> words.set(at, pick(NUMBERS));
      case 2 -> words.add(words.get(at));
      default -> {
        if (words.size() > 1) words.remove(at);
      }
    }
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }
}
