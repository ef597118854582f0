package dev.kermes.bench.commands;

import dev.kermes.bench.harness.BenchmarkException;
import java.util.ArrayList;
import java.util.List;

/**
 * A command with placeholders. Words between brackets are a group, which is repeated once per
 * element:
 *
 * <pre>
 *   MSET [ s:{key} {value} ]
 * </pre>
 *
 * Immutable; at most one group.
 */
final class Template {

  private final List<Word> before = new ArrayList<>();
  private final List<Word> group = new ArrayList<>();
  private final List<Word> after = new ArrayList<>();
  private final int repetitions;

  Template(String line, Bindings bindings) {
    List<Word> part = before;
    for (String word : words(line)) {
      if (word.equals("[")) part = group;
      else if (word.equals("]")) part = after;
      else part.add(new Word(word, bindings));
    }
    repetitions = group.isEmpty() ? 0 : bindings.size().count();
  }

  /** Splits a line at blanks; double quotes keep words together, and may contain {@code \n}. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    int position = 0;
    while (position < line.length()) {
      if (line.charAt(position) == ' ') {
        position++;
        continue;
      }
      boolean isQuoted = line.charAt(position) == '"';
      int from = isQuoted ? position + 1 : position;
      int end = line.indexOf(isQuoted ? '"' : ' ', from);
      if (end < 0 && isQuoted) throw new BenchmarkException("quote without an end: " + line);
      if (end < 0) end = line.length();
      words.add(line.substring(from, end).replace("\\n", "\n"));
      position = end + 1;
    }
    return words;
  }

  int lengthMax() {
    long length = 20;
    for (Word word : before) length += word.lengthMax();
    for (Word word : group) length += (long) word.lengthMax() * repetitions;
    for (Word word : after) length += word.lengthMax();
    return Math.toIntExact(length);
  }

  void put(RequestBuffer out, Numbers numbers) {
    out.putHead('*', before.size() + (long) group.size() * repetitions + after.size());
    put(before, out, numbers);
    if (repetitions > 0) putGroup(out, numbers);
    put(after, out, numbers);
  }

  private void putGroup(RequestBuffer out, Numbers numbers) {
    long key = numbers.key();
    for (int i = 0; i < repetitions; i++) {
      numbers.repeat(i);
      put(group, out, numbers);
    }
    numbers.key(key);
  }

  private static void put(List<Word> words, RequestBuffer out, Numbers numbers) {
    for (int i = 0; i < words.size(); i++) words.get(i).put(out, numbers);
  }
}
