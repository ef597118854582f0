package dev.kermes.commands;

import java.util.ArrayList;
import java.util.List;

/** Functions on words: of a text, and of a call's arguments in place without allocation. */
final class ArgumentWords {
  private static final int COUNT_DIGITS_MAX = 9;

  private ArgumentWords() {}

  /** The words of a text between separators, without empty ones. */
  static List<String> split(String text, char separator) {
    List<String> words = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf(separator, start);
      end = end < 0 ? text.length() : end;
      if (end > start) {
        words.add(text.substring(start, end));
      }
      start = end + 1;
    }
    return words;
  }

  /** Whether an argument is a word, in any case; the given word is in upper case. */
  static boolean isWord(String word, CommandArguments args, int index) {
    int length = args.length(index);
    if (length != word.length()) {
      return false;
    }
    byte[] array = args.array(index);
    int offset = args.offset(index);
    for (int i = 0; i < length; i++) {
      if (upperCase(array[offset + i]) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether one of the arguments from an index on is the word. */
  static boolean contains(String word, CommandArguments args, int from) {
    for (int i = from; i < args.argc(); i++) {
      if (isWord(word, args, i)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a non-negative number of at most nine digits, or -1. */
  static int count(CommandArguments args, int index) {
    int length = args.length(index);
    if (length == 0 || length > COUNT_DIGITS_MAX) {
      return -1;
    }
    byte[] array = args.array(index);
    int offset = args.offset(index);
    int count = 0;
    for (int i = 0; i < length; i++) {
      int digit = array[offset + i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      count = count * 10 + digit;
    }
    return count;
  }

  private static int upperCase(byte b) {
    return b >= 'a' && b <= 'z' ? b - ('a' - 'A') : b;
  }
}
