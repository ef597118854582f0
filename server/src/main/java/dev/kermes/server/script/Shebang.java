package dev.kermes.server.script;

import dev.kermes.resp.ByteText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The first line of a script: {@code #!lua flags=no-writes,allow-oom}. */
final class Shebang {

  private static final String FLAGS = "flags=";

  private Shebang() {}

  static boolean isIn(byte[] text) {
    return text.length >= 2 && text[0] == '#' && text[1] == '!';
  }

  /** The end of the line, or -1. */
  private static int end(byte[] text) {
    for (int i = 0; i < text.length; i++) if (text[i] == '\n') return i;
    return -1;
  }

  /** The words of the line, without the mark. */
  static List<String> words(byte[] text, String errorWithoutEnd) throws ScriptException {
    int end = end(text);
    if (end < 0) throw new ScriptException(errorWithoutEnd);
    String line = ByteText.of(text, 2, end - 2);
    List<String> words = new ArrayList<>();
    for (String word : line.split("\\s+")) words.add(unquoted(word));
    return words;
  }

  /** {@code name="a"} is {@code name=a}. */
  private static String unquoted(String word) {
    int quote = word.indexOf('"');
    return quote < 0 || quote == word.length() - 1 || !word.endsWith("\"")
        ? word
        : word.substring(0, quote) + word.substring(quote + 1, word.length() - 1);
  }

  /** The text with an empty first line instead, so that line numbers stay the same. */
  static byte[] without(byte[] text) {
    return Arrays.copyOfRange(text, Math.max(0, end(text)), text.length);
  }

  /** The flags of a script for EVAL. */
  static Set<ScriptFlag> flags(byte[] script) throws ScriptException {
    List<String> words = words(script, "ERR Invalid script shebang");
    if (!words.get(0).equals("lua")) {
      throw new ScriptException("ERR Unexpected engine in script shebang: #!" + words.get(0));
    }
    Set<ScriptFlag> flags = EnumSet.noneOf(ScriptFlag.class);
    for (String word : words.subList(1, words.size())) {
      if (!word.startsWith(FLAGS)) {
        throw new ScriptException("ERR Unknown lua shebang option: " + word);
      }
      addFlags(flags, word.substring(FLAGS.length()));
    }
    return flags;
  }

  private static void addFlags(Set<ScriptFlag> flags, String labels) throws ScriptException {
    for (String label : labels.split(",", -1)) {
      ScriptFlag flag = ScriptFlag.labelled(label);
      if (flag == null && !label.isEmpty()) {
        throw new ScriptException("ERR Unexpected flag in script shebang: " + label);
      }
      if (flag != null) flags.add(flag);
    }
  }
}
