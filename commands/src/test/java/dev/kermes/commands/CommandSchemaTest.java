package dev.kermes.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks rules that hold for every row of the data files. */
final class CommandSchemaTest {
  /** Commands that accept any arguments and ignore them. */
  private static final Set<String> ARGUMENTS_IGNORED = Set.of("COMMAND", "QUIT");

  /** A circle or a box has a centre; a polygon does not need one. */
  private static final Set<String> NEEDS_MORE = Set.of("GEOSEARCH", "GEOSEARCHSTORE");

  /** Commands whose handler reports missing arguments. */
  private static final Set<String> ACCEPTS_LESS = Set.of("CLUSTER MIGRATESLOTS", "HOTKEYS START");

  static List<CommandSpec> rows() {
    return CommandTable.sentinel().all(); // those of all servers, and its own
  }

  static Stream<CommandSpec> callable() {
    return rows().stream().filter(CommandSpec::isCallable);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void row_isComplete(CommandSpec spec) {
    assertThat(spec.summary()).matches("[A-Z].*[^ ]\\.").hasSizeLessThan(120);
    assertThat(spec.since()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(spec.isCallable() || spec.hasSubcommands()).isTrue();
    assertThat(spec.replyVariants())
        .allSatisfy(v -> assertThat(names(spec)).contains(v.argument().split(" ")));
    if (spec.isCallable()) {
      assertThat(spec.complexity()).isNotEmpty();
      assertThat(spec.reply()).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("callable")
  void arity_agreesWithArguments(CommandSpec spec) {
    int words = spec.container() == null ? 1 : 2;
    int least = words + spec.arguments().stream().mapToInt(CommandSchemaTest::least).sum();
    boolean fixed = spec.arguments().stream().allMatch(CommandSchemaTest::hasFixedWidth);
    boolean exact = fixed && !ARGUMENTS_IGNORED.contains(spec.name());
    if (NEEDS_MORE.contains(spec.name())) assertThat(spec.arity()).isLessThan(-least);
    else if (ACCEPTS_LESS.contains(spec.name())) assertThat(spec.arity()).isBetween(-least + 1, -1);
    else assertThat(spec.arity()).isEqualTo(exact ? least : -least);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void keySpecs_pointAtKeyArguments(CommandSpec spec) {
    Set<Integer> used = new TreeSet<>();
    spec.arguments().forEach(argument -> keySpecIndexes(argument, used));
    int known = 0;
    for (int i = 0; i < spec.keySpecs().size(); i++) {
      KeySpec keySpec = spec.keySpecs().get(i);
      if (keySpec.isKey()) {
        assertThat(used).contains(i);
        known++;
      }
    }
    assertThat(used).hasSize(known);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void keySpecs_haveOneOfTheFourMainFlags(CommandSpec spec) {
    Set<KeyFlag> main = Set.of(KeyFlag.RO, KeyFlag.RW, KeyFlag.OW, KeyFlag.RM);
    for (KeySpec keySpec : spec.keySpecs()) {
      long count = keySpec.flags().stream().filter(main::contains).count();
      assertThat(count).isEqualTo(keySpec.isKey() ? 1 : 0);
      if (keySpec.isKey() && !keySpec.flags().contains(KeyFlag.RO)) {
        assertThat(spec.isWrite() || spec.mayReplicate()).isTrue(); // a script may write
      }
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void flags_doNotContradict(CommandSpec spec) {
    assertThat(spec.isWrite() && spec.isReadOnly()).isFalse();
    assertThat(spec.categories().contains(AclCategory.FAST))
        .isNotEqualTo(spec.categories().contains(AclCategory.SLOW));
    assertThat(spec.categories().contains(AclCategory.WRITE)).isEqualTo(spec.isWrite());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void blockingCommands_sayHowLongTheyWait(CommandSpec spec) {
    assertThat(spec.waitArgument() != null).isEqualTo(spec.isBlocking());
  }

  @Test
  void legacyKeyRange_matchesOldClients() {
    assertThat(legacy("GET")).containsExactly(1, 1, 1);
    assertThat(legacy("MSET")).containsExactly(1, -1, 2);
    assertThat(legacy("BLPOP")).containsExactly(1, -2, 1);
    assertThat(legacy("COPY")).containsExactly(1, 2, 1);
    assertThat(legacy("SORT")).containsExactly(1, 1, 1);
    assertThat(legacy("ZUNIONSTORE")).containsExactly(1, 1, 1);
    assertThat(legacy("ZUNION")).containsExactly(0, 0, 0);
    assertThat(legacy("PING")).containsExactly(0, 0, 0);
    assertThat(legacy("OBJECT FREQ")).containsExactly(2, 2, 1);
    assertThat(movable("SORT")).isTrue();
    assertThat(movable("ZUNIONSTORE")).isTrue();
    assertThat(movable("COPY")).isFalse();
  }

  @Test
  void usage_isReadable() {
    assertThat(usage("SADD")).isEqualTo("SADD key member [member ...]");
    assertThat(usage("SET"))
        .isEqualTo(
            "SET key value [NX | XX | IFEQ ifeq-value | IFNE ifne-value | IFDEQ ifdeq-digest"
                + " | IFDNE ifdne-digest] [GET] [EX seconds | PX milliseconds"
                + " | EXAT unix-time-seconds | PXAT unix-time-milliseconds | KEEPTTL]");
    assertThat(usage("LMOVE")).isEqualTo("LMOVE source destination <LEFT | RIGHT> <LEFT | RIGHT>");
    assertThat(usage("SORT_RO")).contains("[GET pattern [GET pattern ...]]");
    assertThat(usage("ZUNION")).contains("[WEIGHTS weight [weight ...]]");
  }

  private static int least(CommandArgument argument) {
    if (argument.optional()) {
      return 0;
    }
    int token = argument.token() == null || argument.type() == ArgumentType.PURE_TOKEN ? 0 : 1;
    return token + leastBody(argument);
  }

  private static int leastBody(CommandArgument argument) {
    return switch (argument.type()) {
      // An alternative may be marked optional only because the others may accompany it.
      case ONEOF ->
          argument.children().stream()
              .mapToInt(CommandSchemaTest::least)
              .filter(n -> n > 0)
              .min()
              .orElse(1);
      case BLOCK -> argument.children().stream().mapToInt(CommandSchemaTest::least).sum();
      default -> 1;
    };
  }

  private static boolean hasFixedWidth(CommandArgument argument) {
    boolean isFixed = argument.children().stream().allMatch(CommandSchemaTest::hasFixedWidth);
    long widths =
        argument.children().stream().mapToInt(CommandSchemaTest::least).distinct().count();
    boolean isEither = argument.type() == ArgumentType.ONEOF && widths > 1;
    return !argument.optional() && !argument.multiple() && isFixed && !isEither;
  }

  private static void keySpecIndexes(CommandArgument argument, Set<Integer> indexes) {
    if (argument.keySpecIndex() >= 0) {
      indexes.add(argument.keySpecIndex());
    }
    argument.children().forEach(child -> keySpecIndexes(child, indexes));
  }

  private static Set<String> names(CommandSpec spec) {
    Set<String> names = new TreeSet<>();
    spec.arguments().forEach(argument -> names(argument, names));
    return names;
  }

  private static void names(CommandArgument argument, Set<String> names) {
    names.add(argument.name());
    argument.children().forEach(child -> names(child, names));
  }

  private static int[] legacy(String name) {
    CommandSpec spec = CommandTable.standard().require(name);
    return new int[] {spec.firstKey(), spec.lastKey(), spec.keyStep()};
  }

  private static boolean movable(String name) {
    return CommandTable.standard().require(name).has(CommandFlag.MOVABLEKEYS);
  }

  private static String usage(String name) {
    return CommandTable.standard().require(name).usage();
  }
}
