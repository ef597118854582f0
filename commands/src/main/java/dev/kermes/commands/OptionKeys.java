package dev.kermes.commands;

import dev.kermes.commands.KeyFinder.KeyVisitor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the keys behind an option without a fixed position: SORT key ... STORE destination, or
 * MIGRATE ... KEYS key [key ...]. Also GEORADIUS ... STORE destination, whose key spec would find
 * the first of several.
 *
 * <p>The search steps over the options by their widths, so that a value that looks like an option
 * is not mistaken for one. As in Redis the last of several options wins. Words that are not options
 * are skipped.
 */
final class OptionKeys {
  private OptionKeys() {}

  /** Whether a key spec is about the single key behind an option. */
  static boolean isKeyOfOption(CommandSpec spec, int keySpecIndex) {
    CommandArgument option = option(spec.arguments(), keySpecIndex);
    return option != null && option.token() != null && !option.multiple();
  }

  static int find(CommandSpec spec, int keySpecIndex, CommandArguments args, KeyVisitor visitor) {
    CommandArgument option = option(spec.arguments(), keySpecIndex);
    if (option == null || option.token() == null) {
      return 0;
    }
    int key = lastValue(spec.arguments(), option.token(), firstOption(spec), args);
    if (key == 0) {
      return 0;
    }
    int end = option.multiple() ? args.argc() : key + 1;
    for (int i = key; i < end; i++) {
      visitor.key(i, spec.keySpecs().get(keySpecIndex).flags());
    }
    return end - key;
  }

  private static @Nullable CommandArgument option(
      List<CommandArgument> arguments, int keySpecIndex) {
    for (CommandArgument argument : arguments) {
      if (argument.type() == ArgumentType.KEY && argument.keySpecIndex() == keySpecIndex) {
        return argument;
      }
    }
    return null;
  }

  /** The arguments before the first option are single words. */
  private static int firstOption(CommandSpec spec) {
    int index = spec.container() == null ? 1 : 2;
    for (CommandArgument argument : spec.arguments()) {
      if (argument.optional()) {
        return index;
      }
      index++;
    }
    return index;
  }

  private static int lastValue(
      List<CommandArgument> options, String token, int from, CommandArguments args) {
    int found = 0;
    int i = from;
    while (i < args.argc()) {
      int width = width(options, args, i);
      if (i + width >= args.argc()) {
        return found;
      }
      if (ArgumentWords.isWord(token, args, i)) {
        found = i + 1;
      }
      i += 1 + width;
    }
    return found;
  }

  /** The number of values that follow the option at an index. */
  private static int width(List<CommandArgument> options, CommandArguments args, int index) {
    for (CommandArgument option : options) {
      String token = option.token();
      if (token != null && ArgumentWords.isWord(token, args, index)) {
        if (option.multiple() && !option.multipleToken()) {
          return Math.max(1, args.argc() - index - 1);
        }
        return switch (option.type()) {
          case PURE_TOKEN -> 0;
          case BLOCK -> option.children().size();
          default -> 1;
        };
      }
    }
    return 0;
  }
}
