package dev.kermes.commands;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The argument that says how long a blocking command waits in the server: {@code seconds at -1}, or
 * {@code milliseconds after BLOCK} if it only waits with that option.
 *
 * @param unit the unit of its number
 * @param position where it is, the name being 0; from the end if negative; 0 if after a word
 * @param word the option that it follows; empty if it has a position
 */
public record WaitArgument(TimeUnit unit, int position, String word) {

  static WaitArgument parse(CommandRow row, String text) {
    String[] words = text.split(" ", -1);
    try {
      TimeUnit unit = TimeUnit.valueOf(words[0].toUpperCase(Locale.ROOT));
      if (words.length == 3 && words[1].equals("after")) return new WaitArgument(unit, 0, words[2]);
      if (words.length == 3 && words[1].equals("at")) {
        return new WaitArgument(unit, Integer.parseInt(words[2]), "");
      }
    } catch (IllegalArgumentException e) {
      // falls through to the message below
    }
    throw row.wrong("expected \"<unit> at <position>\" or \"<unit> after <word>\": " + text);
  }
}
