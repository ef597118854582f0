package dev.kermes.server.config;

import dev.kermes.server.acl.User;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options for users and their rights. */
public final class AclOptions extends OptionFamily {

  private static final String ALL_CHANNELS = "allchannels";

  /** The default user's password as last set by the option, empty for none. */
  public final ValueOption<String> requirePass =
      option("requirepass").means("The password of the default user; empty for none.").text("");

  public final ValueOption<String> aclFile =
      option("aclfile")
          .atStart()
          .means("The file with the users, relative to `dir`; empty for none.")
          .text("");

  public final NumberOption logMax =
      option("acllog-max-len")
          .means("The largest number of entries of ACL LOG.")
          .number(0, Integer.MAX_VALUE, 128);

  private final ValueOption<String> channelsOfNewUsers =
      option("acl-pubsub-default")
          .means("New users may use all channels, or none.")
          .choice(List.of("resetchannels", ALL_CHANNELS), "resetchannels");

  /** {@code yes}, {@code no} or {@code local}: the clients that may use DEBUG. */
  public final ValueOption<String> enableDebugCommand =
      option("enable-debug-command")
          .atStart()
          .means(
              "DEBUG is open to all clients (`yes`), to those of this machine (`local`), or none.")
          .unlikeRedis("Redis's default is `no`.")
          .text("local");

  private final List<List<String>> userLines = new ArrayList<>();

  /** New names of commands by their original names; empty for a command that is disabled. */
  private final Map<String, String> renamedCommands = new LinkedHashMap<>();

  AclOptions() {
    super("Users and rights");
  }

  /** Whether new users may use all channels. */
  public boolean allChannelsByDefault() {
    return channelsOfNewUsers.value().equals(ALL_CHANNELS);
  }

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
    String name = aclFile.value();
    return name.isEmpty() ? null : Path.of(files.dir.value()).toAbsolutePath().resolve(name);
  }

  /** A text in the form of {@link User}, with one character per byte of its UTF-8. */
  public static String oneByteCharacters(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
