package dev.kermes.server.acl;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins selectors that are split into several words, such as {@code (+get ~a)}. */
final class SelectorWords {

  private SelectorWords() {}

  /** Returns the words with each selector joined to one; null if a parenthesis is not closed. */
  static @Nullable List<String> join(List<String> words) {
    List<String> joined = new ArrayList<>(words.size());
    StringBuilder selector = null;
    for (String word : words) {
      if (selector != null) selector.append(' ').append(word);
      else if (opens(word)) selector = new StringBuilder(word);
      else joined.add(word);
      if (selector != null && word.endsWith(")")) {
        joined.add(selector.toString());
        selector = null;
      }
    }
    return selector == null ? joined : null;
  }

  /** The index of the word that opens a selector without closing it. */
  static int unmatched(List<String> words) {
    int start = -1;
    for (int i = 0; i < words.size(); i++) {
      if (start < 0 && opens(words.get(i))) start = i;
      else if (words.get(i).endsWith(")")) start = -1;
    }
    return start;
  }

  private static boolean opens(String word) {
    return word.startsWith("(") && !word.endsWith(")");
  }
}
