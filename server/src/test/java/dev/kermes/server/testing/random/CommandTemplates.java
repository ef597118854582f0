package dev.kermes.server.testing.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Writes random commands, valid and invalid, from templates. Words in capitals stand for
 * themselves; the other words are placeholders for random values.
 *
 * <pre>
 *   LPUSH k e        k a key, e an element, n a number (sometimes none), c a small count,
 *                    s a score, b a bound of scores, l a bound of bytes, i a stream ID,
 *                    side LEFT or RIGHT, end MIN or MAX, t a timeout that is refused,
 *                    x time to live in seconds, at a Unix time in seconds, u a float to add,
 *                    r a bound of stream IDs, ri an ID that may exist, grp a consumer group,
 *                    who a consumer, mi a minimal idle time,
 *                    lo a longitude, la a latitude, d a distance or a size,
 *                    g one of many elements, v a bit, o an offset of bits, f a field of bits,
 *                    w a word without zero bytes
 *   SPOP k ; DEL k   several commands; a word with a digit (k1) has the same value in all of them
 * </pre>
 */
public final class CommandTemplates {

  private static final String[] ELEMENTS = {
    "a",
    "b",
    "c",
    "d",
    "1",
    "2",
    "-3",
    "100000",
    "007",
    "",
    "12345678901",
    "\u0000\r\n\u00ff",
    "foo"
  };
  private static final String[] NOT_NUMBERS = {
    "abc", "1.5", "", " 1", "9223372036854775807", "-9223372036854775808", "9223372036854775808"
  };
  private static final String[] SCORES = {"0", "1", "2", "-1.5", "3.25", "inf", "-inf", "1e3", "4"};
  private static final String[] NOT_SCORES = {"abc", "nan", "", "1 "};
  private static final String[] TIMEOUTS = {"-1", "abc", "nan", ""};
  private static final String[] BYTE_BOUNDS = {"-", "+", "[a", "(a", "[c", "(c", "[1", "(foo", "["};
  private static final String[] NOT_BYTE_BOUNDS = {"a", "", "--", "+a"};
  private static final String[] GROUPS = {"g1", "g1", "g1", "g2", "g2", "nogroup"};
  private static final String[] CONSUMERS = {"alice", "bob", "Carol"};
  private static final String[] NOT_IDS = {
    "abc", "1-", "-1-1", "1-1-1", "", "1-x", "5-*", "+", "-"
  };

  /** Lifetimes that end at once or are refused. */
  private static final String[] ODD_LIFETIMES = {
    "0", "-1", "abc", "9223372036854775807", "-9223372036854775808", "1.5"
  };

  private static final String[] TIMES = {"4000000000", "5000000000", "1", "0", "-1", "abc", ""};
  private static final String[] FLOATS = {
    "0.1",
    "1.5",
    "-2.25",
    "3",
    "1e3",
    "5.0e3",
    "-1e-3",
    "0",
    "1e20",
    "12345.678",
    "abc",
    "inf",
    "nan",
    "1e5000",
    "",
    " 1"
  };
  private static final String[] NOT_DEGREES = {"181", "-86", "abc", "inf", "1e308", ""};
  private static final String[] NOT_DISTANCES = {"-1", "abc", "0", "", "1e300", "inf"};
  private static final String[] NOT_OFFSETS = {"-1", "abc", "", "4294967296", "1.5", "##1"};
  private static final String[] FIELDS = {"u8", "i8", "u4", "i5", "u1", "i64", "u63", "i1", "I16"};
  private static final String[] NOT_FIELDS = {
    "u64", "i65", "u0", "x8", "8", "", "i", "u-1", "u08x"
  };
  private static final String[] WORDS = {
    "a", "b", "c", "ab", "1", "2", "10", "-3", "2.5", "B", "z"
  };

  /** Words that are inserted where no template has them. */
  private static final String[] STRAY_WORDS = {"COUNT", "LIMIT", "WITHSCORES", "x", "0", "NX"};

  /**
   * Commands that are never spoilt: they draw at random, have other options since Redis 7.2, or
   * would harm the test.
   */
  private static final Set<String> UNSPOILT =
      Set.of(
          "ZRANK",
          "ZREVRANK",
          "SPOP",
          "SHUTDOWN",
          "CLIENT",
          "HELLO",
          "INFO",
          "COMMAND",
          "CONFIG",
          "TIME",
          "DEBUG",
          "SUBSCRIBE",
          "UNSUBSCRIBE",
          "PUNSUBSCRIBE",
          "SUNSUBSCRIBE");

  private final Random random;
  private final List<String> templates;
  private final String keyPrefix;
  private long lastMillis = 1;

  public CommandTemplates(Random random, String keyPrefix, List<String> templates) {
    this.random = random;
    this.keyPrefix = keyPrefix;
    this.templates = templates;
  }

  /** One command, or a few that belong together. */
  public List<List<String>> next() {
    String template = template();
    List<List<String>> commands = new ArrayList<>();
    Map<String, String> same = Map.of("k1", key(), "grp1", pick(GROUPS), "who1", pick(CONSUMERS));
    for (String one : template.split(" ; ")) {
      List<String> command = new ArrayList<>();
      for (String word : one.split(" ")) {
        String shared = same.get(word);
        command.add(shared == null ? word(word) : shared);
      }
      commands.add(command);
    }
    if (commands.size() == 1 && maySpoil(template) && random.nextInt(25) == 0) {
      spoil(commands.get(0));
    }
    return commands;
  }

  /** Picks a template; one of a blocking command is rare, since those take time. */
  private String template() {
    String template = templates.get(random.nextInt(templates.size()));
    return isBlocking(template) && random.nextInt(8) > 0 ? template() : template;
  }

  private static boolean isBlocking(String template) {
    return template.startsWith("B") && !template.startsWith("BIT");
  }

  /** Whether a command may make its client wait. */
  public static boolean waits(List<String> command) {
    return isBlocking(command.get(0)) || command.contains("BLOCK");
  }

  private static boolean maySpoil(String template) {
    String name = template.split(" ")[0];
    return !isBlocking(template) && !UNSPOILT.contains(name);
  }

  private void spoil(List<String> command) {
    int at = random.nextInt(1, command.size() + 1);
    switch (random.nextInt(3)) {
      case 0 -> command.add(at, pick(STRAY_WORDS));
      case 1 -> command.add(pick(STRAY_WORDS));
      default -> {
        if (at < command.size()) command.remove(at);
      }
    }
  }

  private String word(String word) {
    return switch (word) {
      case "k" -> key();
      case "e" -> random.nextInt(60) == 0 ? "x".repeat(random.nextInt(60, 9000)) : pick(ELEMENTS);
      case "lo" -> degrees(180);
      case "la" -> degrees(85);
      case "d" -> distance();
      case "g" -> "element:" + random.nextInt(20_000);
      case "n" -> random.nextInt(12) == 0 ? pick(NOT_NUMBERS) : "" + random.nextInt(-7, 12);
      case "c" -> "" + random.nextInt(-5, 12);
      case "s" -> random.nextInt(20) == 0 ? pick(NOT_SCORES) : pick(SCORES);
      case "b" -> (random.nextInt(3) == 0 ? "(" : "") + word("s");
      case "l" -> random.nextInt(12) == 0 ? pick(NOT_BYTE_BOUNDS) : pick(BYTE_BOUNDS);
      case "i" -> id();
      case "r" -> rangeId();
      case "ri" -> entryId();
      case "grp" -> pick(GROUPS);
      case "who" -> pick(CONSUMERS);
      case "mi" ->
          random.nextInt(12) == 0 ? pick(NOT_NUMBERS) : random.nextBoolean() ? "0" : "1000000";
      case "t" -> pick(TIMEOUTS);
      case "x" ->
          random.nextInt(3) == 0 ? pick(ODD_LIFETIMES) : "" + random.nextInt(1_000_000, 9_000_000);
      case "at" -> pick(TIMES);
      case "u" -> pick(FLOATS);
      case "v" -> random.nextInt(15) == 0 ? "2" : "" + random.nextInt(2);
      case "o" -> offset();
      case "f" -> random.nextInt(15) == 0 ? pick(NOT_FIELDS) : pick(FIELDS);
      case "w" -> pick(WORDS);
      case "side" -> random.nextBoolean() ? "LEFT" : "right";
      case "end" -> random.nextBoolean() ? "MIN" : "max";
      default -> word;
    };
  }

  /**
   * A key: mostly one of the family, sometimes one of another type or one that is always missing.
   */
  private String key() {
    int chance = random.nextInt(40);
    if (chance == 0) return isOfStrings() ? "alist" : "string";
    if (chance == 1) return "missing";
    return keyPrefix + chance % 4;
  }

  private boolean isOfStrings() {
    return Set.of("string", "bitmap", "hyperloglog").contains(keyPrefix);
  }

  /** Degrees all over the earth or near one place, so that searches of any size find something. */
  private String degrees(int max) {
    if (random.nextInt(60) == 0) return pick(NOT_DEGREES);
    double span = random.nextInt(3) == 0 ? max : 0.5;
    return "" + (random.nextDouble() * 2 - 1) * span;
  }

  private String distance() {
    if (random.nextInt(30) == 0) return pick(NOT_DISTANCES);
    return "" + Math.pow(10, random.nextDouble() * 4.4);
  }

  private String offset() {
    if (random.nextInt(15) == 0) return pick(NOT_OFFSETS);
    String mark = random.nextInt(6) == 0 ? "#" : "";
    return mark + random.nextInt(random.nextInt(5) == 0 ? 200 : 40);
  }

  private String id() {
    if (random.nextInt(15) == 0) return pick(NOT_IDS);
    lastMillis += random.nextInt(3);
    return switch (random.nextInt(8)) {
      case 0 -> lastMillis + "-*";
      case 1 -> "" + lastMillis;
      case 2 -> (lastMillis - random.nextInt(5)) + "-" + random.nextInt(9);
      default -> lastMillis + "-" + random.nextInt(200);
    };
  }

  /** An ID near the last one, never the bound of a range. */
  private String entryId() {
    if (random.nextInt(40) == 0) return "abc";
    if (random.nextInt(8) == 0) return "0";
    long millis = Math.max(0, lastMillis - random.nextInt(25));
    return millis + (random.nextInt(3) == 0 ? "" : "-" + random.nextInt(150));
  }

  private String rangeId() {
    String exclusive = random.nextInt(4) == 0 ? "(" : "";
    if (random.nextInt(15) == 0) return exclusive + pick(NOT_IDS);
    long millis = Math.max(0, lastMillis - random.nextInt(40));
    return exclusive + millis + (random.nextBoolean() ? "" : "-" + random.nextInt(9));
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }
}
