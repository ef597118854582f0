package dev.kermes.commands;

import static dev.kermes.commands.KeyFlag.ACCESS;
import static dev.kermes.commands.KeyFlag.OW;
import static dev.kermes.commands.KeyFlag.RO;
import static dev.kermes.commands.KeyFlag.RW;
import static dev.kermes.commands.KeyFlag.UPDATE;

import dev.kermes.commands.KeySpec.BeginSearch;
import dev.kermes.commands.KeySpec.FindKeys;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the keys among the arguments of a call, and how the command accesses each.
 *
 * <p>The key specs of the table find most keys. Two cases depend on the arguments: keys behind an
 * option at any position among the options (SORT ... STORE key), and flags that depend on options
 * (SET without GET does not read). Stateless; any thread; allocates only in those two cases.
 */
public final class KeyFinder {
  /** The result if the arguments contradict the command's grammar. */
  public static final int INVALID = -1;

  private static final Set<KeyFlag> SET_WITHOUT_GET = flags(OW, UPDATE);
  private static final Set<KeyFlag> SET_WITH_GET = flags(RW, ACCESS, UPDATE);
  private static final Set<KeyFlag> BITFIELD_READING = flags(RO, ACCESS);
  private static final Set<KeyFlag> BITFIELD_WRITING = flags(RW, ACCESS, UPDATE);

  private KeyFinder() {}

  /** Receives the keys that are found. */
  @FunctionalInterface
  public interface KeyVisitor {
    /**
     * Receives a key.
     *
     * @param index the argument that is the key
     */
    void key(int index, Set<KeyFlag> flags);
  }

  /**
   * Visits the keys of a call in the order of the key specs.
   *
   * @return the number of keys, or {@link #INVALID}; then some keys may have been visited
   */
  public static int find(CommandSpec spec, CommandArguments arguments, KeyVisitor visitor) {
    return find(spec, arguments, false, visitor);
  }

  /** Like find, but also visits shard channels: the words that determine the slot in a cluster. */
  public static int findRouted(CommandSpec spec, CommandArguments arguments, KeyVisitor visitor) {
    return find(spec, arguments, true, visitor);
  }

  private static int find(
      CommandSpec spec, CommandArguments arguments, boolean channels, KeyVisitor visitor) {
    List<KeySpec> specs = spec.keySpecs();
    int count = 0;
    for (int i = 0; i < specs.size(); i++) {
      if (channels || specs.get(i).isKey()) {
        int found = find(spec, i, arguments, visitor);
        if (found < 0) {
          return INVALID;
        }
        count += found;
      }
    }
    return count;
  }

  private static int find(CommandSpec spec, int index, CommandArguments args, KeyVisitor visitor) {
    KeySpec keySpec = spec.keySpecs().get(index);
    boolean isOption =
        keySpec.findKeys() instanceof KeySpec.Unknown
            || keySpec.beginSearch() instanceof KeySpec.Keyword
                && OptionKeys.isKeyOfOption(spec, index);
    if (isOption || keySpec.flags().contains(KeyFlag.INCOMPLETE)) {
      return OptionKeys.find(spec, index, args, visitor);
    }
    if (isPlaceholder(spec, args)) {
      return 0;
    }
    int begin = begin(keySpec.beginSearch(), args);
    if (begin == 0) {
      return 0;
    }
    return keys(spec, keySpec, begin, args, visitor);
  }

  /** Whether the single key of MIGRATE is an empty string, because other keys follow KEYS. */
  private static boolean isPlaceholder(CommandSpec spec, CommandArguments args) {
    return spec.name().equals("MIGRATE")
        && args.argc() > 3
        && args.length(3) == 0
        && OptionKeys.find(spec, 1, args, (index, flags) -> {}) > 0;
  }

  /** The argument at which the search starts; 0 if its keyword is missing. */
  private static int begin(BeginSearch search, CommandArguments args) {
    return switch (search) {
      case KeySpec.Index index -> index.position();
      case KeySpec.Keyword keyword -> afterKeyword(keyword, args);
      case KeySpec.Unknown unknown -> 0;
    };
  }

  private static int afterKeyword(KeySpec.Keyword keyword, CommandArguments args) {
    int startFrom = keyword.startFrom();
    int step = startFrom > 0 ? 1 : -1;
    for (int i = startFrom > 0 ? startFrom : args.argc() + startFrom;
        i > 0 && i < args.argc();
        i += step) {
      if (ArgumentWords.isWord(keyword.keyword(), args, i)) {
        return i + 1;
      }
    }
    return 0;
  }

  private static int keys(
      CommandSpec spec, KeySpec keySpec, int begin, CommandArguments args, KeyVisitor visitor) {
    FindKeys find = keySpec.findKeys();
    if (find instanceof KeySpec.Range range) {
      return visit(spec, keySpec, begin, last(range, begin, args), range.step(), args, visitor);
    }
    KeySpec.KeyNum keyNum = (KeySpec.KeyNum) find;
    int numberAt = begin + keyNum.keyNumIndex();
    int number = numberAt < args.argc() ? ArgumentWords.count(args, numberAt) : INVALID;
    // More keys than arguments is an error, and would overflow below.
    if (number < 0 || number > args.argc()) {
      return INVALID;
    }
    int first = begin + keyNum.firstKey();
    int last = first + (number - 1) * keyNum.step();
    return visit(spec, keySpec, first, last, keyNum.step(), args, visitor);
  }

  private static int last(KeySpec.Range range, int first, CommandArguments args) {
    int lastKey = range.lastKey();
    if (lastKey >= 0) {
      return first + lastKey;
    }
    return range.limit() == 0
        ? args.argc() + lastKey
        : first + (args.argc() - first) / range.limit() + lastKey;
  }

  private static int visit(
      CommandSpec spec,
      KeySpec keySpec,
      int first,
      int last,
      int step,
      CommandArguments args,
      KeyVisitor visitor) {
    Set<KeyFlag> flags = flags(spec, keySpec, args);
    int count = 0;
    for (int i = first; i <= last; i += step) {
      if (i >= args.argc()) {
        return INVALID;
      }
      visitor.key(i, flags);
      count++;
    }
    return count;
  }

  private static Set<KeyFlag> flags(CommandSpec spec, KeySpec keySpec, CommandArguments args) {
    if (!keySpec.flags().contains(KeyFlag.VARIABLE_FLAGS)) {
      return keySpec.flags();
    }
    return switch (spec.name()) {
      case "SET" -> ArgumentWords.contains("GET", args, 3) ? SET_WITH_GET : SET_WITHOUT_GET;
      case "BITFIELD" -> isReading(args) ? BITFIELD_READING : BITFIELD_WRITING;
      default -> keySpec.flags();
    };
  }

  /** Whether BITFIELD has only GET subcommands, which take two arguments. */
  private static boolean isReading(CommandArguments args) {
    for (int i = 2; i < args.argc(); i += 3) {
      if (!ArgumentWords.isWord("GET", args, i)) {
        return false;
      }
    }
    return true;
  }

  private static Set<KeyFlag> flags(KeyFlag first, KeyFlag... rest) {
    return Collections.unmodifiableSet(EnumSet.of(first, rest));
  }
}
