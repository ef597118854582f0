package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.number;
import static dev.kermes.server.config.OptionKinds.text;

import dev.kermes.server.acl.User;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options for users and their rights. */
public final class AclOptions {

  /** The default user's password as last set by the option, empty for none. */
  public String requirePass = "";

  /** The file with the users, relative to the option {@code dir}; empty for none. */
  public String aclFile = "";

  /** Whether new users may use all channels. */
  public boolean allChannelsByDefault;

  public int logMax = 128;

  private final List<List<String>> userLines = new ArrayList<>();

  AclOptions() {}

  /** New names of commands by their original names; empty for a command that is disabled. */
  private final Map<String, String> renamedCommands = new LinkedHashMap<>();

  /** A line {@code rename-command name newname}. */
  void renameCommand(String value) {
    String[] words = value.strip().split("\\s+", 2);
    renamedCommands.put(words[0], words.length == 1 ? "" : words[1]);
  }

  public Map<String, String> renamedCommands() {
    return renamedCommands;
  }

  /** A line {@code user name rules...} of the configuration. */
  void addUser(String value) {
    List<String> words = List.of(oneByteCharacters(value).strip().split("\\s+"));
    String name = words.get(0);
    if (userLines.stream().anyMatch(line -> line.get(0).equals(name))) {
      throw new IllegalArgumentException(
          "Duplicate user found. A user can only be defined once in config files: name=" + name);
    }
    userLines.add(words);
  }

  /** The words after {@code user} of these lines. */
  public List<List<String>> userLines() {
    return userLines;
  }

  /** The file with the users; null if there is none. */
  public @Nullable Path file(FileOptions files) {
    return aclFile.isEmpty() ? null : Path.of(files.dir).toAbsolutePath().resolve(aclFile);
  }

  /** A text in the form of {@link User}, with one character per byte of its UTF-8. */
  public static String oneByteCharacters(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Declares the options under their names. */
  void declare(OptionTable table) {
    table.mutable("requirepass", text(() -> requirePass, value -> requirePass = value));
    table.fixed("aclfile", text(() -> aclFile, value -> aclFile = value));
    table.mutable(
        "acllog-max-len",
        number(0, Integer.MAX_VALUE, () -> logMax, value -> logMax = (int) value));
    table.mutable(
        "acl-pubsub-default",
        choice(
            List.of("resetchannels", "allchannels"),
            () -> allChannelsByDefault ? "allchannels" : "resetchannels",
            value -> allChannelsByDefault = value.equals("allchannels")));
  }
}
