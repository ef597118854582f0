package dev.kermes.commands;

import dev.kermes.commands.KeySpec.BeginSearch;
import dev.kermes.commands.KeySpec.FindKeys;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Parses a key line.
 *
 * <pre>
 *   RW access delete at 1                        one key at a position
 *   RO access at 1 to -2 step 2 limit 2          a range; the last key is relative, or from the end
 *   RO access at 2 counted                       the argument there says how many keys follow
 *   RO access at 1 counted 0 1 1                 the same: index of the number, first key, step
 *   RO access after STREAMS from 1 to -1         the search begins behind a keyword
 *   OW update anywhere unknown                   only the command's grammar tells
 * </pre>
 */
final class KeySpecParser {
  private final CommandRow row;
  private final List<String> words;
  private int at;

  private KeySpecParser(CommandRow row, String text) {
    this.row = row;
    this.words = ArgumentWords.split(text, ' ');
  }

  static KeySpec parse(CommandRow row, String text) {
    return new KeySpecParser(row, text).whole();
  }

  private KeySpec whole() {
    Set<KeyFlag> flags = flags();
    BeginSearch begin = begin();
    FindKeys find = find();
    if (at < words.size()) {
      throw expected("the end of the line");
    }
    return new KeySpec(flags, begin, find);
  }

  private Set<KeyFlag> flags() {
    Set<KeyFlag> flags = EnumSet.noneOf(KeyFlag.class);
    while (!isNext("at") && !isNext("after") && !isNext("anywhere")) {
      flags.add(flag());
    }
    return Collections.unmodifiableSet(flags);
  }

  private KeyFlag flag() {
    try {
      KeyFlag flag = KeyFlag.valueOf(word("a key flag").toUpperCase(Locale.ROOT));
      at++;
      return flag;
    } catch (IllegalArgumentException e) {
      throw expected("a key flag, at, after or anywhere");
    }
  }

  private BeginSearch begin() {
    if (skip("at")) {
      return new KeySpec.Index(integer());
    }
    if (skip("after")) {
      String keyword = word("a keyword");
      at++;
      expect("from");
      return new KeySpec.Keyword(keyword, integer());
    }
    expect("anywhere");
    return KeySpec.UNKNOWN;
  }

  private FindKeys find() {
    if (skip("unknown")) {
      return KeySpec.UNKNOWN;
    }
    if (skip("counted")) {
      return at == words.size()
          ? new KeySpec.KeyNum(0, 1, 1)
          : new KeySpec.KeyNum(integer(), integer(), positive());
    }
    int lastKey = skip("to") ? integer() : 0;
    int step = skip("step") ? positive() : 1;
    int limit = skip("limit") ? integer() : 0;
    return new KeySpec.Range(lastKey, step, limit);
  }

  private int positive() {
    int value = integer();
    if (value < 1) {
      at--;
      throw expected("a positive number");
    }
    return value;
  }

  private int integer() {
    try {
      int value = Integer.parseInt(word("a number"));
      at++;
      return value;
    } catch (NumberFormatException e) {
      throw expected("a number");
    }
  }

  private String word(String what) {
    if (at == words.size()) {
      throw expected(what);
    }
    return words.get(at);
  }

  private boolean isNext(String word) {
    return at < words.size() && words.get(at).equals(word);
  }

  private boolean skip(String word) {
    boolean next = isNext(word);
    at += next ? 1 : 0;
    return next;
  }

  private void expect(String word) {
    if (!skip(word)) {
      throw expected(word);
    }
  }

  private CommandFileException expected(String what) {
    String found = at < words.size() ? "\"" + words.get(at) + "\"" : "the end of the line";
    return row.wrong("expected " + what + " in a key line, found " + found);
  }
}
