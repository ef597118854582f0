package dev.kermes.server.acl;

import dev.kermes.server.disk.DiskFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The file of {@code aclfile}: a line {@code user name rules...} for each user. It has no comments,
 * since ACL SAVE would lose them. All mistakes are reported at once, in the words of Redis.
 */
public final class AclFile {

  /**
   * The content of a file.
   *
   * @param users by name
   * @param mistakes the errors in the file, in one line; empty if there are none
   */
  public record Reading(Map<String, User> users, String mistakes) {}

  private final Path file;
  private final Function<String, User> newUser;
  private final Map<String, User> users = new TreeMap<>();
  private final StringBuilder mistakes = new StringBuilder();

  private AclFile(Path file, Function<String, User> newUser) {
    this.file = file;
    this.newUser = newUser;
  }

  static Reading read(Path file, Function<String, User> newUser) {
    AclFile reader = new AclFile(file, newUser);
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      reader.lines(text.split("\n", -1));
    } catch (IOException e) {
      String why =
          e instanceof NoSuchFileException ? "No such file or directory" : DiskFailure.reason(e);
      return new Reading(Map.of(), "Error loading ACLs, opening file '" + file + "': " + why);
    }
    if (!reader.mistakes.isEmpty()) {
      reader.mistakes.append(
          "WARNING: ACL errors detected, no change to the previously active ACL rules was"
              + " performed");
    }
    return new Reading(reader.users, reader.mistakes.toString());
  }

  private void lines(String[] lines) {
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].strip();
      if (!line.isEmpty()) user(i + 1, List.of(line.split(" +")));
    }
  }

  private void user(int number, List<String> words) {
    String origin = file + ":" + number;
    if (!words.get(0).equals("user") || words.size() < 2) {
      mistakes.append(origin + " should start with user keyword followed by the username. ");
      return;
    }
    String name = words.get(1);
    List<String> rules = SelectorWords.join(words.subList(2, words.size()));
    if (!Selector.isOneWord(name)) {
      mistakes.append("'" + origin + ": username '" + name + "' contains invalid characters. ");
    } else if (users.containsKey(name)) {
      mistakes.append("WARNING: Duplicate user '" + name + "' found on line " + number + ". ");
    } else if (rules == null) {
      mistakes.append(origin + ": Unmatched parenthesis in selector definition.");
    } else {
      User user = newUser.apply(name);
      users.put(name, user);
      rules(origin, user, rules);
    }
  }

  /**
   * Applies a user's rules. All unknown commands are reported, but only the first of the other
   * mistakes, because it may cause more.
   */
  private void rules(String origin, User user, List<String> rules) {
    boolean isMalformed = false;
    for (String rule : rules) {
      User.Mistake mistake = user.apply(List.of(rule.strip()));
      if (mistake == null) continue;
      if (mistake.isUnknownCommand()) {
        mistakes.append(
            origin + ": Error in applying operation '" + rule + "': " + mistake.text() + ". ");
      } else if (!isMalformed) {
        mistakes.append(origin + ": " + mistake.text() + ". ");
        isMalformed = true;
      }
    }
  }
}
