package dev.kermes.server.command.config;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.config.Option;
import dev.kermes.server.config.Settings;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.disk.DiskFailure;
import dev.kermes.server.keyspace.Loading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The configuration of the running server. */
public final class ConfigCommands {

  private ConfigCommands() {}

  /**
   * CONFIG GET pattern [pattern ...]: replies the options whose names match, sorted by name, with
   * their values. A name that is not a pattern comes back in the case that it was asked in.
   */
  public static void configGet(Call call) {
    Map<String, String> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Settings settings = call.engine().settings();
    for (int i = 2; i < call.argc(); i++) {
      String asked = call.text(i);
      if (isPattern(asked)) {
        byte[] pattern = asked.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1);
        settings
            .optionsByName()
            .forEach((name, option) -> {
              if (matches(pattern, name, option)) found.putIfAbsent(name, option.text());
            });
      } else {
        Option option = settings.find(asked);
        if (option != null) found.putIfAbsent(asked, option.text());
      }
    }
    RespWriter reply = call.reply();
    reply.map(found.size());
    found.forEach((name, value) -> {
      reply.bulk(name);
      reply.bulk(value);
    });
  }

  private static boolean isPattern(String asked) {
    return asked.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  private static boolean matches(byte[] pattern, String name, Option option) {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    return !option.isHidden() && Glob.matches(pattern, bytes);
  }

  /** CONFIG SET name value [name value ...]: sets all of them, or none. */
  public static void configSet(Call call) {
    if (call.argc() % 2 != 0) {
      call.syntaxError();
      return;
    }
    Map<String, String> changes = new LinkedHashMap<>();
    for (int i = 2; i < call.argc(); i += 2) {
      if (mutableOption(call, i) == null) return;
      if (changes.put(call.shown(i).toLowerCase(Locale.ROOT), call.utf8(i + 1)) != null) {
        refuse(call, call.shown(i), "duplicate parameter");
        return;
      }
    }
    if (changes.containsKey("appendonly") && call.engine().keyspace().loading().isUnderWay()) {
      call.error(Loading.ERROR);
      return;
    }
    if (!applyAll(call, changes)) return;
    call.engine().settings().changed();
    call.reply().ok();
  }

  private static @Nullable Option mutableOption(Call call, int i) {
    String name = call.shown(i);
    Option option = call.engine().settings().find(name);
    if (option == null) {
      call.error("ERR Unknown option or number of arguments for CONFIG SET - '" + name + "'");
      return null;
    }
    boolean staysAsItIs = option.acceptsPresentValue() && option.text().equals(call.utf8(i + 1));
    if (option.isMutable() || staysAsItIs) return option;
    refuse(call, name, "can't set immutable config");
    return null;
  }

  private static void refuse(Call call, String name, String why) {
    call.error("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + why);
  }

  /** Sets all options; or none, if one refuses its value or the server cannot listen there. */
  private static boolean applyAll(Call call, Map<String, String> changes) {
    Map<Option, String> before = new LinkedHashMap<>();
    Settings settings = call.engine().settings();
    List<Object> listeningBefore = settings.listening();
    for (Map.Entry<String, String> change : changes.entrySet()) {
      Option option = Objects.requireNonNull(settings.find(change.getKey()));
      before.putIfAbsent(option, option.text());
      String error = option.set(change.getValue());
      if (error == null) continue;
      undo(before);
      refuse(call, change.getKey(), error);
      return false;
    }
    if (!call.engine().appendOnly().configure()) {
      undo(before);
      refuse(call, "appendonly", "Unable to turn on AOF. Check server logs.");
      return false;
    }
    String tlsOption = first(changes.keySet(), "tls-(?!port$).*");
    if (tlsOption != null && !call.engine().socketChanges().renewTls()) {
      undo(call, before);
      refuse(call, tlsOption, "Unable to update TLS configuration. Check server logs.");
      return false;
    }
    if (settings.listening().equals(listeningBefore) || call.engine().socketChanges().listen())
      return true;
    undo(call, before);
    boolean unused = call.engine().socketChanges().listen();
    refuseListening(call, changes.keySet());
    return false;
  }

  private static void refuseListening(Call call, Set<String> changes) {
    String port = first(changes, "port|tls-port");
    if (port == null) refuse(call, "bind", "Failed to bind to specified addresses.");
    else refuse(call, port, "Unable to listen on this port. Check server logs.");
  }

  private static @Nullable String first(Set<String> names, String pattern) {
    for (String name : names) if (name.matches(pattern)) return name;
    return null;
  }

  private static void undo(Call call, Map<Option, String> before) {
    undo(before);
    boolean unused = call.engine().appendOnly().configure();
    boolean unusedToo = call.engine().socketChanges().renewTls();
  }

  private static void undo(Map<Option, String> before) {
    for (Map.Entry<Option, String> each : before.entrySet()) {
      String unused = each.getKey().set(each.getValue());
    }
  }

  /** CONFIG RESETSTAT: sets the counters of INFO back to zero. */
  public static void configResetstat(Call call) {
    call.engine().statistics().reset();
    call.engine().replication().replicas().resetCounts();
    call.engine().acl().log().resetCounts();
    call.engine().keyspace().lock().resetStatistics();
    ClusterNode node = call.engine().cluster();
    if (node != null) node.usage().retain(slot -> false);
    call.reply().ok();
  }

  /** CONFIG REWRITE: writes the present values into the file that the server was started with. */
  public static void configRewrite(Call call) {
    Path file = call.engine().settings().file();
    if (file == null) {
      call.error("ERR The server is running without a config file");
      return;
    }
    try {
      Settings settings = call.engine().settings();
      boolean haveTheirFile = !settings.aclOptions().aclFile.value().isEmpty();
      List<String> users = haveTheirFile ? List.of() : call.engine().acl().users().lines();
      ConfigFile.rewrite(file, settings, users);
      call.reply().ok();
    } catch (IOException e) {
      call.error("ERR Rewriting config file: " + DiskFailure.reason(e));
    }
  }

  /** CONFIG HELP: the subcommands. */
  public static void configHelp(Call call) {
    Help.reply(call);
  }
}
