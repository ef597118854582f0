package dev.kermes.server.acl;

import dev.kermes.commands.CommandArguments;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A user: whether it may log in, its passwords, and its permissions. Passwords are kept as SHA-256
 * digests in hexadecimal; texts have a character per byte. Guarded by the keyspace lock.
 */
public final class User {

  public static final String DEFAULT = "default";

  private static final String UNKNOWN_PASSWORD =
      "The password you are trying to remove from the user does not exist";
  private static final String BAD_DIGEST =
      "The password hash must be exactly 64 characters and contain only lowercase hexadecimal"
          + " characters";
  private static final int DIGEST_LENGTH = 64;

  private final String name;
  private final CommandTable table;
  private final BooleanSupplier channelsByDefault;
  private boolean enabled;
  private boolean needsNoPassword;

  /**
   * Whether RESTORE payloads are to be trusted. Kept only for display: the server checks them all.
   */
  private boolean skipsSanitizing;

  private final Set<String> passwords = new LinkedHashSet<>();
  private Selector root;
  private final List<Selector> others = new ArrayList<>();
  private boolean unrestricted;

  /**
   * Creates a user without any permissions.
   *
   * @param channelsByDefault whether all channels are allowed until a rule says otherwise
   */
  User(String name, CommandTable table, BooleanSupplier channelsByDefault) {
    this.name = name;
    this.table = table;
    this.channelsByDefault = channelsByDefault;
    root = newSelector();
  }

  private Selector newSelector() {
    Selector selector = new Selector(table);
    if (channelsByDefault.getAsBoolean()) selector.allChannels(true);
    return selector;
  }

  /** The user that connections start with: it may do everything, without a password. */
  static User unrestricted(CommandTable table, BooleanSupplier channelsByDefault) {
    User user = new User(DEFAULT, table, channelsByDefault);
    for (String rule : List.of("+@all", "~*", "&*", "on", "nopass")) {
      String mistake = user.apply(rule);
      if (mistake != null) throw new AssertionError(mistake);
    }
    return user;
  }

  /** Returns a copy of the user, to try out rules on. */
  User copy() {
    User copy = new User(name, table, channelsByDefault);
    copy.become(this);
    return copy;
  }

  /** Takes over everything of another user except its name. */
  void become(User other) {
    enabled = other.enabled;
    needsNoPassword = other.needsNoPassword;
    skipsSanitizing = other.skipsSanitizing;
    passwords.clear();
    passwords.addAll(other.passwords);
    root = other.root.copy();
    others.clear();
    for (Selector selector : other.others) others.add(selector.copy());
    unrestricted = other.unrestricted;
  }

  // Rules

  /**
   * Applies rules in order, up to the first one that is wrong.
   *
   * @return the wrong rule with its mistake; null if there is none
   */
  @Nullable Mistake apply(List<String> rules) {
    for (String rule : rules) {
      String mistake = apply(rule);
      if (mistake != null) return new Mistake(rule, mistake);
    }
    return null;
  }

  /** A rule that is wrong. */
  record Mistake(String rule, String text) {

    /** Whether the rule names an unknown command, rather than being malformed. */
    boolean isUnknownCommand() {
      return text.equals(Selector.UNKNOWN_COMMAND);
    }
  }

  /**
   * Applies a rule such as {@code on}, {@code >password} or {@code +get}. Returns the mistake in
   * it, or null.
   */
  @Nullable String apply(String rule) {
    String mistake = rule.isEmpty() ? null : applyToUser(rule);
    unrestricted = root.isUnrestricted();
    return mistake;
  }

  private @Nullable String applyToUser(String rule) {
    switch (rule.toLowerCase(Locale.ROOT)) {
      case "on" -> enabled = true;
      case "off" -> enabled = false;
      case "sanitize-payload" -> skipsSanitizing = false;
      case "skip-sanitize-payload" -> skipsSanitizing = true;
      case "nopass" -> needsNoPassword(true);
      case "resetpass" -> needsNoPassword(false);
      case "clearselectors" -> others.clear();
      case "reset" -> reset();
      default -> {
        return applyToPasswordsOrSelectors(rule);
      }
    }
    return null;
  }

  private void needsNoPassword(boolean isSo) {
    needsNoPassword = isSo;
    passwords.clear();
  }

  private void reset() {
    needsNoPassword(false);
    enabled = false;
    skipsSanitizing = false;
    others.clear();
    root = newSelector();
  }

  private @Nullable String applyToPasswordsOrSelectors(String rule) {
    String rest = rule.substring(1);
    return switch (rule.charAt(0)) {
      case '>' -> addPassword(digest(rest));
      case '#' -> isDigest(rest) ? addPassword(rest) : BAD_DIGEST;
      case '<' -> removePassword(digest(rest));
      case '!' -> isDigest(rest) ? removePassword(rest) : BAD_DIGEST;
      case '(' -> rule.endsWith(")") ? addSelector(rule) : root.apply(rule);
      default -> root.apply(rule);
    };
  }

  private @Nullable String addPassword(String digest) {
    passwords.add(digest);
    needsNoPassword = false;
    return null;
  }

  private @Nullable String removePassword(String digest) {
    return passwords.remove(digest) ? null : UNKNOWN_PASSWORD;
  }

  private @Nullable String addSelector(String rule) {
    Selector selector = newSelector();
    for (String each : rule.substring(1, rule.length() - 1).strip().split("\\s+")) {
      String mistake = each.isEmpty() ? null : selector.apply(each);
      if (mistake != null) return mistake;
    }
    others.add(selector);
    return null;
  }

  private static boolean isDigest(String text) {
    return text.length() == DIGEST_LENGTH
        && text.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f');
  }

  private static String digest(String password) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] bytes = password.getBytes(StandardCharsets.ISO_8859_1);
      return HexFormat.of().formatHex(sha256.digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  // Checks

  public String name() {
    return name;
  }

  public boolean isEnabled() {
    return enabled;
  }

  public boolean needsNoPassword() {
    return needsNoPassword;
  }

  /** Whether the user may do everything, so that no call needs a check. */
  public boolean isUnrestricted() {
    return unrestricted;
  }

  /**
   * Whether the user may log in with a password. The time this takes does not reveal how much of
   * the password is right.
   */
  boolean mayLogIn(String password) {
    if (!enabled) return false;
    if (needsNoPassword) return true;
    byte[] wanted = digest(password).getBytes(StandardCharsets.ISO_8859_1);
    boolean isRight = false;
    for (String each : passwords) {
      isRight |= MessageDigest.isEqual(wanted, each.getBytes(StandardCharsets.ISO_8859_1));
    }
    return isRight;
  }

  /** The reason why the user may not run a command with these arguments; null if it may. */
  public @Nullable Denial check(CommandSpec spec, CommandArguments arguments, Databases databases) {
    if (unrestricted) return null;
    CallKeys keys = new CallKeys(spec, arguments);
    CallDatabases places = new CallDatabases(spec, arguments, databases);
    Denial denial = root.check(spec, arguments, keys, places);
    for (int i = 0; i < others.size() && denial != null; i++) {
      Denial other = others.get(i).check(spec, arguments, keys, places);
      if (other == null || other.compareTo(denial) > 0) denial = other;
    }
    return denial;
  }

  /** Whether one selector lets the user both run a command and read all keys. */
  public boolean mayReadAllKeys(CommandSpec spec, CommandArguments arguments, Databases databases) {
    if (unrestricted) return true;
    CallKeys keys = new CallKeys(spec, arguments);
    CallDatabases places = new CallDatabases(spec, arguments, databases);
    return selectors().stream()
        .anyMatch(each -> each.readsAllKeys() && each.check(spec, arguments, keys, places) == null);
  }

  private List<Selector> selectors() {
    List<Selector> all = new ArrayList<>(others.size() + 1);
    all.add(root);
    all.addAll(others);
    return all;
  }

  /** Whether the user may use a channel, or subscribe to a pattern of channels. */
  public boolean mayUseChannel(byte[] channel, boolean isPattern) {
    String text = new String(channel, StandardCharsets.ISO_8859_1);
    return selectors().stream().anyMatch(each -> each.allowsChannel(text, isPattern));
  }

  // Description

  /** The flags that ACL GETUSER lists, such as {@code on}. */
  public List<String> flags() {
    List<String> flags = new ArrayList<>();
    flags.add(enabled ? "on" : "off");
    if (needsNoPassword) flags.add("nopass");
    flags.add(skipsSanitizing ? "skip-sanitize-payload" : "sanitize-payload");
    return flags;
  }

  /** The digests of the user's passwords. */
  public Set<String> passwords() {
    return passwords;
  }

  /** The permissions of the user's root selector. */
  public Permissions permissions() {
    return permissions(root);
  }

  /** The permissions of the other selectors. */
  public List<Permissions> otherPermissions() {
    return others.stream().map(User::permissions).toList();
  }

  /** A selector's rules as texts. */
  public record Permissions(
      String commands, String keys, String channels, String databases, boolean allDatabases) {}

  private static Permissions permissions(Selector selector) {
    return new Permissions(
        selector.describeCommands(),
        selector.describeKeys(),
        selector.describeChannels(),
        selector.describeDatabases(),
        selector.allowsAllDatabases());
  }

  /** The line that defines this user in a configuration file: {@code user name on ...}. */
  public String line() {
    StringBuilder line = new StringBuilder("user ").append(name).append(' ');
    line.append(String.join(" ", flags())).append(' ');
    for (String digest : passwords) line.append('#').append(digest).append(' ');
    line.append(root.describe());
    for (Selector selector : others) line.append(" (").append(selector.describe()).append(')');
    return line.toString();
  }
}
