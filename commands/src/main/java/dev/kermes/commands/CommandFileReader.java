package dev.kermes.commands;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one data file: a head, then one row per command.
 *
 * <pre>
 *   # Sets: members without order, each once.
 *   family sets
 *   class  set.SetCommands                              the handlers, see CommandFamily
 *   group  set
 *
 *   SADD key member...                                  name and usage, see UsageParser
 *     Adds members to a set, creating it when missing.  the summary starts with a capital letter
 *     since  1.0.0
 *     arity  -3                                         negative: at least; counts the name
 *     flags  write denyoom fast                         CommandFlag
 *     acl    set                                        AclCategory; those of the flags are implied
 *     key    RW insert at 1                             one line per key spec, see KeySpecParser
 *     reply  integer                                    ReplyShape
 *     reply  bulk? with get                             another shape when an option is given
 *     reply  list&lt;bulk&gt; with dist hash                  when several are given
 *     cost   O(1) per member
 *     wait   seconds at -1                              WaitArgument, of a blocking command
 *     tips   nondeterministic_output                    for client libraries; may be missing
 *     deprecated 6.2.0 use SPOP with a count            may be missing
 *     system                                            an internal command; may be missing
 * </pre>
 *
 * <p>Every start reads the files, so the reader avoids code that is slow in a cold virtual machine:
 * regular expressions, streams, lambdas.
 *
 * <p>{@code CONFIG <subcommand>} is a container: it has subcommands and is not itself a command, so
 * it needs neither reply nor cost. A subcommand is a row of two words below its container.
 */
final class CommandFileReader {
  private final String file;
  private final List<CommandRow> rows = new ArrayList<>();
  private final Set<String> fields = new HashSet<>();
  private @Nullable String familyName;
  private @Nullable String className;
  private @Nullable String group;
  private @Nullable CommandFamily family;
  private @Nullable CommandRow row;
  private int line;

  private CommandFileReader(String file) {
    this.file = file;
  }

  /** Returns the rows of a file in order. */
  static List<CommandRow> read(String file, String text) {
    CommandFileReader reader = new CommandFileReader(file);
    for (String line : text.split("\n", -1)) {
      reader.line(line);
    }
    reader.endOfFile();
    return reader.rows;
  }

  private void line(String text) {
    line++;
    if (text.isBlank() || text.charAt(0) == '#') {
      return;
    }
    if (text.charAt(0) == ' ') {
      field(text.strip());
    } else if (text.charAt(0) >= 'A' && text.charAt(0) <= 'Z') {
      rowStart(text.stripTrailing());
    } else {
      head(text.stripTrailing());
    }
  }

  private void head(String text) {
    String value = valueOf(text);
    if (family != null || value.isEmpty()) {
      throw wrong("expected a command in upper case, found \"" + text + "\"");
    }
    switch (wordOf(text)) {
      case "family" -> familyName = value;
      case "class" -> className = value;
      case "group" -> group = value;
      default -> throw wrong("expected family, class or group, found \"" + text + "\"");
    }
  }

  private void rowStart(String text) {
    endOfRow();
    int end = nameEnd(text);
    String name = text.substring(0, end);
    if (!isName(name)) {
      throw wrong("expected a name of words joined by _ or -, found \"" + name + "\"");
    }
    if (name.length() - name.indexOf(' ') - 1
        > NameIndex.NAME_LENGTH_MAX) { // identified by its last word
      throw wrong("name too long: " + name + ", max=" + NameIndex.NAME_LENGTH_MAX);
    }
    String usage = text.substring(end).strip();
    boolean isContainer = usage.equals("<subcommand>");
    row = new CommandRow(family(), file, line, name, isContainer ? "" : usage, isContainer);
  }

  private CommandFamily family() {
    if (family == null) {
      if (familyName == null || className == null || group == null) {
        throw wrong("expected family, class and group before the first command");
      }
      family = new CommandFamily(familyName, className, group);
    }
    return family;
  }

  /** Returns the end of the leading upper-case words, at most two. */
  private static int nameEnd(String text) {
    int first = wordEnd(text, 0);
    if (first >= text.length() || text.charAt(first) != ' ') {
      return first;
    }
    int second = wordEnd(text, first + 1);
    boolean isName = second > first + 1 && (second == text.length() || text.charAt(second) == ' ');
    return isName ? second : first;
  }

  private static int wordEnd(String text, int start) {
    int at = start;
    while (at < text.length() && isNameChar(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /**
   * Returns whether every word starts and ends with a letter or digit, and separators stand alone.
   */
  private static boolean isName(String name) {
    boolean wasJoint = true;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean isJoint = c == '_' || c == '-' || c == ' ';
      if (isJoint && wasJoint) {
        return false;
      }
      wasJoint = isJoint;
    }
    return !wasJoint;
  }

  private static boolean isNameChar(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  }

  private void field(String text) {
    CommandRow current = row;
    if (current == null) {
      throw wrong("expected a command before its fields");
    }
    if (Character.isUpperCase(text.charAt(0))) {
      once("summary");
      current.summary = text;
      return;
    }
    String word = wordOf(text);
    String value = valueOf(text);
    if (value.isEmpty() != word.equals("system")) {
      throw wrong("expected a field and its value, found \"" + text + "\"");
    }
    if (!word.equals("key") && !word.equals("reply")) {
      once(word);
    }
    field(current, word, value);
  }

  private void field(CommandRow current, String word, String value) {
    switch (word) {
      case "since" -> current.since = value;
      case "arity" -> current.arity = arity(value);
      case "flags" -> flags(current, value);
      case "acl" -> categories(current, value);
      case "key" -> current.keySpecs.add(KeySpecParser.parse(current, value));
      case "reply" -> current.replies.add(value);
      case "cost" -> current.cost = value;
      case "wait" -> current.waitArgument = WaitArgument.parse(current, value);
      case "tips" -> current.tips = ArgumentWords.split(value, ' ');
      case "system" -> current.isSystem = true;
      case "deprecated" -> deprecated(current, value);
      default -> throw wrong("unknown field \"" + word + "\"");
    }
  }

  private int arity(String value) {
    try {
      int arity = Integer.parseInt(value);
      if (arity != 0) {
        return arity;
      }
    } catch (NumberFormatException e) {
      // falls through to the message below
    }
    throw wrong("expected an arity other than 0, found \"" + value + "\"");
  }

  private void flags(CommandRow current, String value) {
    for (String word : ArgumentWords.split(value, ' ')) {
      current.flags.add(constant(CommandFlag.class, "flag", word));
    }
  }

  private void categories(CommandRow current, String value) {
    for (String word : ArgumentWords.split(value, ' ')) {
      current.categories.add(constant(AclCategory.class, "ACL category", word));
    }
  }

  private <E extends Enum<E>> E constant(Class<E> type, String what, String word) {
    try {
      return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw wrong("unknown " + what + " \"" + word + "\"");
    }
  }

  private void deprecated(CommandRow current, String value) {
    int use = value.indexOf(" use ");
    if (use < 0) {
      throw wrong("expected \"deprecated <version> use <what>\"");
    }
    current.deprecatedSince = value.substring(0, use);
    current.replacedBy = value.substring(use + " use ".length());
  }

  private void once(String name) {
    if (!fields.add(name)) {
      throw wrong("a second " + name);
    }
  }

  private void endOfRow() {
    CommandRow done = row;
    if (done == null) {
      return;
    }
    List<String> missing = new ArrayList<>(List.of("summary", "since", "arity"));
    if (!done.isContainer) {
      missing.add("cost");
    }
    missing.removeAll(fields);
    if (!done.isContainer && done.replies.isEmpty()) {
      missing.add("reply");
    }
    if (!missing.isEmpty()) {
      throw done.wrong("missing " + String.join(", ", missing));
    }
    fields.clear();
    rows.add(done);
  }

  private void endOfFile() {
    endOfRow();
    if (row == null) {
      throw wrong("expected at least one command, found the end of the file");
    }
  }

  private static String wordOf(String text) {
    int space = text.indexOf(' ');
    return space < 0 ? text : text.substring(0, space);
  }

  private static String valueOf(String text) {
    int space = text.indexOf(' ');
    return space < 0 ? "" : text.substring(space).strip();
  }

  private CommandFileException wrong(String message) {
    return new CommandFileException(file, line, message);
  }
}
