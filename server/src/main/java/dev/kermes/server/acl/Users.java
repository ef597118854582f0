package dev.kermes.server.acl;

import dev.kermes.commands.CommandTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** All users by their names. Guarded by the keyspace lock. */
public final class Users {

  private final CommandTable table;
  private final BooleanSupplier channelsByDefault;
  private Map<String, User> users = new TreeMap<>();

  /** There is always one, and always the same object: connections begin with it. */
  private final User defaultUser;

  private final User nobody;

  /**
   * The default user alone, who may do everything.
   *
   * @param channelsByDefault whether new users may use all channels
   */
  public Users(CommandTable table, BooleanSupplier channelsByDefault) {
    this.table = table;
    this.channelsByDefault = channelsByDefault;
    defaultUser = User.unrestricted(table, channelsByDefault);
    users.put(User.DEFAULT, defaultUser);
    nobody = User.unrestricted(table, channelsByDefault);
  }

  /** The user of what no client sent: scripts' own sessions, replays. It may do everything. */
  public User nobody() {
    return nobody;
  }

  public User defaultUser() {
    return defaultUser;
  }

  /** Whether a client that connects is the default user at once. */
  public boolean isOpen() {
    return defaultUser.needsNoPassword() && defaultUser.isEnabled();
  }

  /** All of them in the order of their names. */
  public Collection<User> all() {
    return users.values();
  }

  public @Nullable User find(String name) {
    return users.get(name);
  }

  /** The user of a name and a password, null if there is none or it may not log in. */
  public @Nullable User logIn(String name, String password) {
    User user = users.get(name);
    return user != null && user.mayLogIn(password) ? user : null;
  }

  /** Makes the password of redis.conf the default user's only one; an empty one needs none. */
  public void requirePass(String password) {
    List<String> rules =
        password.isEmpty() ? List.of("nopass") : List.of("resetpass", ">" + password);
    if (defaultUser.apply(rules) != null) throw new AssertionError("these rules are sound");
  }

  // ACL SETUSER and DELUSER

  /** What becomes of rules for a user: the user as it shall be, or what is wrong with them. */
  public record Change(@Nullable User result, @Nullable String mistake) {}

  /** Tries out rules for a user, who may be a new one; nothing changes yet. */
  public Change prepare(String name, List<String> words) {
    List<String> rules = SelectorWords.join(words);
    if (rules == null) {
      String start = words.get(SelectorWords.unmatched(words));
      return new Change(null, "Unmatched parenthesis in acl selector starting at '" + start + "'.");
    }
    User existing = users.get(name);
    User fresh = existing == null ? newUser(name) : existing.copy();
    User.Mistake mistake = fresh.apply(rules);
    if (mistake == null) return new Change(fresh, null);
    return new Change(
        null, "Error in ACL SETUSER modifier '" + mistake.rule() + "': " + mistake.text());
  }

  private User newUser(String name) {
    return new User(name, table, channelsByDefault);
  }

  /** Makes a user what a prepared one is. */
  public void put(User prepared) {
    User existing = users.get(prepared.name());
    if (existing == null) users.put(prepared.name(), prepared);
    else existing.become(prepared);
  }

  /** Removes a user, who is none of those that connections begin with; null if there is none. */
  public @Nullable User remove(String name) {
    return users.remove(name);
  }

  // Configuration

  /**
   * Adds a user of redis.conf, given as the words after {@code user}.
   *
   * @return what is wrong, null if nothing is
   */
  public @Nullable String configure(List<String> words) {
    String name = words.get(0);
    if (!Selector.isOneWord(name)) return "Spaces not allowed in ACL usernames";
    List<String> rules = SelectorWords.join(words.subList(1, words.size()));
    if (rules == null) return "Unmatched parenthesis in acl selector";
    User user = name.equals(User.DEFAULT) ? defaultUser : newUser(name);
    user.apply("reset");
    User.Mistake mistake = user.apply(rules);
    if (mistake != null) {
      return "Error loading ACL rule '"
          + mistake.rule()
          + "' for the user named '"
          + name
          + "': "
          + mistake.text();
    }
    users.put(name, user);
    return null;
  }

  /**
   * Reads the users of a file; nothing changes yet.
   *
   * @return what is wrong with the file, null if nothing is
   */
  public AclFile.Reading read(Path file) {
    return AclFile.read(file, this::newUser);
  }

  /** Takes over the users of a file; those that are not in it are gone, but for the default one. */
  public void replaceBy(Map<String, User> fresh) {
    User freshDefault = fresh.get(User.DEFAULT);
    defaultUser.become(
        freshDefault == null ? User.unrestricted(table, channelsByDefault) : freshDefault);
    users = new TreeMap<>(fresh);
    users.put(User.DEFAULT, defaultUser);
  }

  /** A line per user, as in a configuration file. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (User user : users.values()) lines.add(user.line());
    return lines;
  }
}
