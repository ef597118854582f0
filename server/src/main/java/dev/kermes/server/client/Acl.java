package dev.kermes.server.client;

import dev.kermes.server.acl.AclFile;
import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.User;
import dev.kermes.server.acl.Users;
import dev.kermes.server.config.AclOptions;
import dev.kermes.server.config.Settings;
import dev.kermes.server.data.ByteKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users, and the consequences of their changes for connections: a client whose user was removed
 * is disconnected, and so is a subscriber to a channel that its user may no longer use. Guarded by
 * the keyspace lock.
 */
public final class Acl {

  private static final Logger LOG = LoggerFactory.getLogger(Acl.class);

  private final Settings settings;
  private final Clients clients;
  private final Users users;
  private final AclLog log = new AclLog();

  /** The password as last set by the option; rules may have changed the user's since. */
  private String requirePass = "";

  /** Creates the default user only, with the password of the settings. */
  public Acl(Settings settings, Clients clients) {
    this.settings = settings;
    this.clients = clients;
    users = clients.users();
    settingsChanged();
  }

  private AclOptions options() {
    return settings.aclOptions();
  }

  public Users users() {
    return users;
  }

  public AclLog log() {
    return log;
  }

  /** Applies {@code requirepass} if it has been set. */
  public void settingsChanged() {
    String wanted = options().requirePass.value();
    if (wanted.equals(requirePass)) return;
    requirePass = wanted;
    users.requirePass(AclOptions.oneByteCharacters(wanted));
    refreshSessions();
  }

  /** Whether new connections are logged in as the default user at once. */
  public boolean isOpen() {
    return users.isOpen();
  }

  // At the start

  /**
   * Loads the users of the configuration and of its {@code aclfile}.
   *
   * @throws IllegalArgumentException with what is wrong with them
   */
  public void load() {
    Path file = options().file(settings.fileOptions());
    if (file != null && !options().userLines().isEmpty()) {
      throw new IllegalArgumentException(
          "users may be in the configuration file or in a file of their own, not in both: aclfile="
              + file);
    }
    for (List<String> words : options().userLines()) {
      String mistake = users.configure(words);
      if (mistake != null) throw new IllegalArgumentException(mistake);
      warnIfDisabled(words.get(0));
    }
    String mistakes = file == null ? "" : loadFile(file);
    if (!mistakes.isEmpty()) {
      throw new IllegalArgumentException("Aborting startup because of ACL errors: " + mistakes);
    }
  }

  private void warnIfDisabled(String name) {
    User user = users.find(name);
    if (user == null || user.isEnabled()) return;
    LOG.info("user is disabled, having no rule 'on': name={}", name);
  }

  // While it runs

  /** Replaces all users by those of the file; returns the file's mistakes, or an empty text. */
  public String loadFile(Path file) {
    AclFile.Reading reading = users.read(file);
    if (!reading.mistakes().isEmpty()) return reading.mistakes();
    List<Session> sessions = List.copyOf(clients.sessions());
    for (Session session : sessions) {
      User fresh = reading.users().get(session.user().name());
      if (fresh != null && losesChannel(session, fresh)) deauthenticate(session);
    }
    users.replaceBy(reading.users());
    for (Session session : sessions) {
      User fresh = users.find(session.user().name());
      if (fresh == null) deauthenticate(session);
      else session.user(fresh);
    }
    return "";
  }

  public void saveFile(Path file) throws IOException {
    String text = String.join("\n", users.lines()) + "\n";
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    settings.fileOptions().replace(file, out -> out.write(bytes));
  }

  /** Changes or creates a user; returns the mistake in the rules, null if there is none. */
  public @Nullable String setUser(String name, List<String> rules) {
    Users.Change change = users.prepare(name, rules);
    User fresh = change.result();
    if (fresh == null) return change.mistake();
    User existing = users.find(name);
    for (Session session : List.copyOf(clients.sessions())) {
      if (session.user() == existing && losesChannel(session, fresh)) deauthenticate(session);
    }
    users.put(fresh);
    refreshSessions();
    return null;
  }

  /** Removes a user and disconnects its connections; returns whether the user existed. */
  public boolean removeUser(String name) {
    User user = users.remove(name);
    if (user == null) return false;
    for (Session session : List.copyOf(clients.sessions())) {
      if (session.user() == user) deauthenticate(session);
    }
    return true;
  }

  private void refreshSessions() {
    for (Session session : clients.sessions()) session.user(session.user());
  }

  private void deauthenticate(Session session) {
    session.user(users.defaultUser());
    session.authenticated(false);
    session.close();
  }

  /** Whether a client has a subscription that its user's new permissions do not allow. */
  private static boolean losesChannel(Session session, User fresh) {
    if (session.subscriptions().isEmpty()) return false;
    return loses(session.subscriptions().channels(), fresh, false)
        || loses(session.subscriptions().shardChannels(), fresh, false)
        || loses(session.subscriptions().patterns(), fresh, true);
  }

  private static boolean loses(Set<ByteKey> names, User fresh, boolean arePatterns) {
    return names.stream().anyMatch(name -> !fresh.mayUseChannel(name.bytes(), arePatterns));
  }
}
