package dev.kermes.server.command.acl;

import dev.kermes.commands.AclCategory;
import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.ByteText;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.acl.User;
import dev.kermes.server.acl.Users;
import dev.kermes.server.client.Acl;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.CallArguments;
import dev.kermes.server.command.Help;
import dev.kermes.server.command.Permission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users, their rights, and refused commands. The texts have one character per byte. */
public final class AclCommands {

  private static final Logger LOG = LoggerFactory.getLogger(AclCommands.class);

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int PASSWORD_BITS = 256;
  private static final int PASSWORD_BITS_MAX = 4096;
  private static final int LOG_COUNT = 10;

  private AclCommands() {}

  private static Acl access(Call call) {
    return call.engine().acl();
  }

  private static Users users(Call call) {
    return access(call).users();
  }

  private static void bulk(Call call, String text) {
    call.reply().bulk(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void texts(Call call, Collection<String> texts) {
    call.reply().array(texts.size());
    for (String text : texts) bulk(call, text);
  }

  /** Replies an error whose text has one character per byte. */
  private static void error(Call call, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    call.error("ERR " + ByteText.of(bytes, 0, bytes.length));
  }

  // Users

  /** ACL SETUSER username [rule ...]: changes or creates a user, by all rules or none. O(N). */
  public static void aclSetuser(Call call) {
    String name = call.text(2);
    if (name.chars().anyMatch(c -> c == 0 || c == ' ' || c >= '\t' && c <= '\r')) {
      call.error("ERR Usernames can't contain spaces or null characters");
      return;
    }
    List<String> rules = new ArrayList<>();
    for (int i = 3; i < call.argc(); i++) rules.add(call.text(i));
    String mistake = access(call).setUser(name, rules);
    if (mistake == null) call.reply().ok();
    else error(call, mistake);
  }

  /** ACL DELUSER username [username ...]: replies how many were deleted. O(connections). */
  public static void aclDeluser(Call call) {
    for (int i = 2; i < call.argc(); i++) {
      if (!call.text(i).equals(User.DEFAULT)) continue;
      call.error("ERR The 'default' user cannot be removed");
      return;
    }
    int removed = 0;
    for (int i = 2; i < call.argc(); i++) if (access(call).removeUser(call.text(i))) removed++;
    call.reply().integer(removed);
  }

  /** ACL GETUSER username: replies the user's rules as a map, nil if there is no such user. */
  public static void aclGetuser(Call call) {
    User user = users(call).find(call.text(2));
    RespWriter reply = call.reply();
    if (user == null) {
      reply.nil();
      return;
    }
    User.Permissions permissions = user.permissions();
    reply.map(permissions.allDatabases() ? 6 : 7);
    reply.bulk("flags");
    reply.set(user.flags().size());
    for (String flag : user.flags()) reply.bulk(flag);
    reply.bulk("passwords");
    texts(call, user.passwords());
    write(call, permissions);
    reply.bulk("selectors");
    reply.array(user.otherPermissions().size());
    for (User.Permissions each : user.otherPermissions()) {
      reply.map(each.allDatabases() ? 3 : 4);
      write(call, each);
    }
  }

  /** Writes rules; those on databases, which only Valkey has, are omitted without restrictions. */
  private static void write(Call call, User.Permissions permissions) {
    call.reply().bulk("commands");
    bulk(call, permissions.commands());
    call.reply().bulk("keys");
    bulk(call, permissions.keys());
    call.reply().bulk("channels");
    bulk(call, permissions.channels());
    if (permissions.allDatabases()) return;
    call.reply().bulk("databases");
    bulk(call, permissions.databases());
  }

  /** ACL LIST: replies a line per user, in the form of a configuration file. */
  public static void aclList(Call call) {
    texts(call, users(call).lines());
  }

  /** ACL USERS: replies the names of all users. */
  public static void aclUsers(Call call) {
    texts(call, users(call).all().stream().map(User::name).toList());
  }

  /** ACL WHOAMI: replies the name of the connection's user. O(1). */
  public static void aclWhoami(Call call) {
    bulk(call, call.client().user().name());
  }

  // Files

  /** ACL LOAD: replaces all users by those of the file, unless the file has a mistake. */
  public static void aclLoad(Call call) {
    Path file = file(call);
    if (file == null) return;
    String mistakes = access(call).loadFile(file);
    if (mistakes.isEmpty()) call.reply().ok();
    else error(call, mistakes);
  }

  /** ACL SAVE: writes all users to the file. */
  public static void aclSave(Call call) {
    Path file = file(call);
    if (file == null) return;
    try {
      access(call).saveFile(file);
      call.reply().ok();
    } catch (IOException e) {
      LOG.warn("cannot write the users: file={}", file, e);
      call.error(
          "ERR There was an error trying to save the ACLs. Please check the server logs for more"
              + " information");
    }
  }

  private static @Nullable Path file(Call call) {
    var settings = call.engine().settings();
    Path file = settings.aclOptions().file(settings.fileOptions());
    if (file == null) {
      call.error(
          "ERR This Redis instance is not configured to use an ACL file. You may want to specify"
              + " users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you"
              + " have a Redis configuration file set) in order to store users in the Redis"
              + " configuration.");
    }
    return file;
  }

  // Commands

  /** ACL CAT [category]: replies all categories, or the commands of one. */
  public static void aclCat(Call call) {
    if (call.argc() > 3) {
      Arguments.subcommandMistake(call);
    } else if (call.argc() == 2) {
      call.reply().array(AclCategory.values().length);
      for (AclCategory category : AclCategory.values()) call.reply().bulk(category.label());
    } else {
      AclCategory category = AclCategory.find(call.text(2));
      if (category == null) error(call, "Unknown category '" + call.text(2) + "'");
      else commandsOf(call, category);
    }
  }

  private static void commandsOf(Call call, AclCategory category) {
    texts(
        call,
        call.execution().table().all().stream()
            .filter(spec -> spec.categories().contains(category))
            .map(CommandSpec::fullName)
            .toList());
  }

  /** ACL DRYRUN username command [arg ...]: replies OK, or why the user may not run it. */
  public static void aclDryrun(Call call) {
    User user = users(call).find(call.text(2));
    CommandSpec spec = Arguments.command(call, 3);
    if (user == null) {
      error(call, "User '" + call.text(2) + "' not found");
    } else if (spec == null || !spec.isCallable()) {
      error(call, "Command '" + call.text(3) + "' not found");
    } else if (!spec.accepts(call.argc() - 3)) {
      call.error("ERR wrong number of arguments for '" + spec.fullName() + "' command");
    } else {
      Denial denial = user.check(spec, new CallArguments(call, 3), Permission.databases(call));
      if (denial == null) call.reply().ok();
      else bulk(call, denial.explanation(user.name(), spec, call.text(3 + denial.argument())));
    }
  }

  /** ACL GENPASS [bits]: replies random hexadecimal digits, by default for 256 bits. */
  public static void aclGenpass(Call call) {
    if (call.argc() > 3) {
      Arguments.subcommandMistake(call);
      return;
    }
    long bits = call.argc() == 3 ? call.integer(2) : PASSWORD_BITS;
    if (call.failed()) return;
    if (bits <= 0 || bits > PASSWORD_BITS_MAX) {
      call.error(
          "ERR ACL GENPASS argument must be the number of bits for the output password, a positive"
              + " number up to "
              + PASSWORD_BITS_MAX);
      return;
    }
    int digits = (int) (bits + 3) / 4;
    byte[] random = new byte[(digits + 1) / 2];
    RANDOM.nextBytes(random);
    call.reply().bulk(HexFormat.of().formatHex(random).substring(0, digits));
  }

  // Log

  /** ACL LOG [count | RESET]: replies the latest refusals, newest first, or deletes them. */
  public static void aclLog(Call call) {
    AclLog log = access(call).log();
    if (call.argc() > 3) {
      Arguments.subcommandMistake(call);
    } else if (call.argc() == 3 && call.is(2, "RESET")) {
      log.clear();
      call.reply().ok();
    } else {
      long count = call.argc() == 3 ? call.integer(2) : LOG_COUNT;
      if (!call.failed()) entries(call, log.newest(Math.max(0, count)));
    }
  }

  private static void entries(Call call, List<AclLog.Entry> entries) {
    call.reply().array(entries.size());
    for (AclLog.Entry entry : entries) entry(call, entry);
  }

  private static void entry(Call call, AclLog.Entry entry) {
    RespWriter reply = call.reply();
    reply.map(10);
    reply.bulk("count");
    reply.integer(entry.count());
    reply.bulk("reason");
    reply.bulk(entry.reason().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    reply.bulk("context");
    reply.bulk(entry.context().name().toLowerCase(Locale.ROOT));
    reply.bulk("object");
    bulk(call, entry.object());
    reply.bulk("username");
    bulk(call, entry.user());
    reply.bulk("age-seconds");
    reply.decimal((call.nowMillis() - entry.updatedMillis()) / 1000.0);
    reply.bulk("client-info");
    bulk(call, entry.client());
    reply.bulk("entry-id");
    reply.integer(entry.id());
    reply.bulk("timestamp-created");
    reply.integer(entry.createdMillis());
    reply.bulk("timestamp-last-updated");
    reply.integer(entry.updatedMillis());
  }

  /** ACL HELP: the subcommands. */
  public static void aclHelp(Call call) {
    Help.reply(call);
  }
}
