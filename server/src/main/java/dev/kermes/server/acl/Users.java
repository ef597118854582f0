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

/** All users, by name. Guarded by the keyspace lock. */
public final class Users {

  private final CommandTable table;
  private final BooleanSupplier channelsByDefault;
  private Map<String, User> users = new TreeMap<>();

  /**
   * The default user: always present and always the same object, since connections start with it.
   */
  private final User defaultUser;

  private final User nobody;

  /**
   * Creates the default user alone, which may do everything.
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

  /**
   * The user for work that no client requested: sessions of scripts, replays. It may do everything.
   */
  public User nobody() {
    return nobody;
  }

  public User defaultUser() {
    return defaultUser;
  }

  /** Whether a client is the default user as soon as it connects. */
  public boolean isOpen() {
    return defaultUser.needsNoPassword() && defaultUser.isEnabled();
  }

  /** All users, ordered by name. */
  public Collection<User> all() {
    return users.values();
  }

  public @Nullable User find(String name) {
    return users.get(name);
  }

  /** The user with that name and password; null if there is none or it may not log in. */
  public @Nullable User logIn(String name, String password) {
    User user = users.get(name);
    return user != null && user.mayLogIn(password) ? user : null;
  }

  /**
   * Makes the password of redis.conf the default user's only one; an empty one means no password.
   */
  public void requirePass(String password) {
    List<String> rules =
        password.isEmpty() ? List.of("nopass") : List.of("resetpass", ">" + password);
    if (defaultUser.apply(rules) != null) throw new AssertionError("these rules are sound");
  }

  // ACL SETUSER and DELUSER

  /** The result of applying rules to a user: the changed user, or the mistake in the rules. */
  public record Change(@Nullable User result, @Nullable String mistake) {}

  /** Tries out rules for a new or existing user; nothing changes yet. */
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

  /** Adds a prepared user, or changes the existing user of that name to match it. */
  public void put(User prepared) {
    User existing = users.get(prepared.name());
    if (existing == null) users.put(prepared.name(), prepared);
    else existing.become(prepared);
  }

  /**
   * Removes and returns a user; null if there is none. The caller must not remove a user that
   * connections start with.
   */
  public @Nullable User remove(String name) {
    return users.remove(name);
  }

  // Configuration

  /**
   * Adds a user of redis.conf, given as the words after {@code user}.
   *
   * @return the mistake, or null if there is none
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
   * @return the users, and the mistakes in the file
   */
  public AclFile.Reading read(Path file) {
    return AclFile.read(file, this::newUser);
  }

  /** Replaces all users by those of a file. If the file has no default user, that one is reset. */
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
