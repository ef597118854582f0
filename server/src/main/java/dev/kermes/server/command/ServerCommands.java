package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.Glob;
import dev.kermes.server.engine.Database;
import dev.kermes.server.engine.Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The server as a whole: configuration, facts about it, all keys at once. */
final class ServerCommands {

  /** The release of Redis whose behaviour clients may rely on. */
  static final String REDIS_VERSION = "7.2.0";

  private ServerCommands() {}

  // Keyspace

  /** DBSIZE: replies how many keys the database has. O(1). */
  static void dbsize(Call call) {
    call.reply().integer(call.database().size());
  }

  /** FLUSHDB [ASYNC|SYNC]: deletes all keys of the database; memory is reclaimed later. O(1). */
  static void flushdb(Call call) {
    if (!checkFlushMode(call)) return;
    flush(call, call.database());
    call.reply().ok();
  }

  /** FLUSHALL [ASYNC|SYNC]: deletes all keys of all databases. O(1). */
  static void flushall(Call call) {
    if (!checkFlushMode(call)) return;
    for (Database database : call.engine().databases()) flush(call, database);
    call.reply().ok();
  }

  private static boolean checkFlushMode(Call call) {
    boolean isKnown =
        call.argc() == 1 || call.argc() == 2 && (call.is(1, "SYNC") || call.is(1, "ASYNC"));
    if (!isKnown) call.syntaxError();
    return isKnown;
  }

  private static void flush(Call call, Database database) {
    call.engine().addDirty(database.size());
    database.clear();
  }

  /** SWAPDB index index: exchanges two databases. O(clients that watch or wait). */
  static void swapdb(Call call) {
    Database first = databaseFor(call, 1, "ERR invalid first DB index");
    Database second = first == null ? null : databaseFor(call, 2, "ERR invalid second DB index");
    if (first == null || second == null) return;
    if (first != second) first.swapWith(second);
    call.engine().addDirty(1);
    call.reply().ok();
  }

  private static @Nullable Database databaseFor(Call call, int i, String notANumber) {
    long index = Arguments.within(call, i, Integer.MIN_VALUE, Integer.MAX_VALUE, notANumber);
    if (call.failed()) return null;
    if (index >= 0 && index < call.engine().databases().size()) {
      return call.engine().database((int) index);
    }
    call.error("ERR DB index is out of range");
    return null;
  }

  /** MEMORY USAGE key [SAMPLES n]: replies about how many bytes a key takes; nil if absent. */
  static void memoryUsage(Call call) {
    boolean hasSamples = call.argc() == 5 && call.is(3, "SAMPLES");
    if (call.argc() != 3 && !hasSamples) {
      call.syntaxError();
      return;
    }
    long samples = hasSamples ? call.integer(4) : 5;
    if (!call.failed() && samples < 0) call.syntaxError();
    if (call.failed()) return;
    Object slot = call.database().lookup(call.bytes(), call.offset(2), call.length(2));
    if (slot == null) call.reply().nil();
    else call.reply().integer(MemoryUsage.of(slot));
  }

  // The server

  /** TIME: replies Unix seconds and the microseconds of the current one. O(1). */
  static void time(Call call) {
    long millis = call.engine().clock().millis();
    call.reply().array(2);
    call.reply().bulk(millis / 1000);
    call.reply().bulk(millis % 1000 * 1000);
  }

  /** ROLE: replies that this is a primary without replicas. O(1). */
  static void role(Call call) {
    call.reply().array(3);
    call.reply().bulk("master");
    call.reply().integer(0);
    call.reply().array(0);
  }

  /** LOLWUT: a picture of the insect that gave carmine and Kermes their names. */
  static void lolwut(Call call) {
    call.reply().verbatim("txt", Lolwut.picture(call.random()));
  }

  /** SHUTDOWN [NOSAVE] [NOW] [FORCE]: ends the server; there is no reply when it succeeds. */
  static void shutdown(Call call) {
    for (int i = 1; i < call.argc(); i++) {
      boolean isHarmless = call.is(i, "NOSAVE") || call.is(i, "NOW") || call.is(i, "FORCE");
      if (call.is(i, "ABORT")) {
        call.error("ERR No shutdown in progress.");
        return;
      }
      if (call.is(i, "SAVE")) {
        call.error("ERR Errors trying to SHUTDOWN: this server does not save to disk yet");
        return;
      }
      if (!isHarmless) {
        call.syntaxError();
        return;
      }
    }
    call.engine().requestShutdown();
  }

  /** INFO [section ...]: replies facts and counters as text, by section. */
  static void info(Call call) {
    List<String> sections = new ArrayList<>();
    for (int i = 1; i < call.argc(); i++) sections.add(call.text(i).toLowerCase(Locale.ROOT));
    call.reply().verbatim("txt", Info.text(call, sections));
  }

  /** DEBUG subcommand: tools for tests; who may use them says enable-debug-command. */
  static void debug(Call call) {
    Debug.execute(call);
  }

  // CONFIG

  /** CONFIG GET pattern [pattern ...]: replies options whose names match, with their values. */
  static void configGet(Call call) {
    Map<String, String> found = new LinkedHashMap<>();
    Settings settings = call.engine().settings();
    for (int i = 2; i < call.argc(); i++) {
      byte[] pattern = call.text(i).toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1);
      for (Settings.Option option : settings.options()) addIfMatches(found, pattern, option);
      for (String alias : settings.aliasNames()) {
        Settings.Option option = settings.find(alias);
        if (option != null) addIfMatches(found, pattern, option);
      }
    }
    RespWriter reply = call.reply();
    reply.map(found.size());
    found.forEach((name, value) -> {
      reply.bulk(name);
      reply.bulk(value);
    });
  }

  private static void addIfMatches(
      Map<String, String> found, byte[] pattern, Settings.Option option) {
    byte[] name = option.name().getBytes(StandardCharsets.ISO_8859_1);
    if (Glob.matches(pattern, name)) found.put(option.name(), option.get());
  }

  /** CONFIG SET name value [name value ...]: sets all of them, or none. */
  static void configSet(Call call) {
    if (call.argc() % 2 != 0) {
      call.error("ERR wrong number of arguments for 'config|set' command");
      return;
    }
    Map<Settings.Option, String> changes = new LinkedHashMap<>();
    for (int i = 2; i < call.argc(); i += 2) {
      Settings.Option option = mutableOption(call, i);
      if (option == null) return;
      if (changes.put(option, call.utf8(i + 1)) != null) {
        refuse(call, call.utf8(i), "duplicate parameter");
        return;
      }
    }
    if (applyAll(call, changes)) call.reply().ok();
  }

  private static Settings.@Nullable Option mutableOption(Call call, int i) {
    String name = call.utf8(i);
    Settings.Option option = call.engine().settings().find(name);
    if (option == null) {
      call.error("ERR Unknown option or number of arguments for CONFIG SET - '" + name + "'");
      return null;
    }
    if (option.isMutable()) return option;
    refuse(call, name, "can't set immutable config");
    return null;
  }

  private static void refuse(Call call, String name, String why) {
    call.error("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + why);
  }

  /** Sets every option; at the first that refuses its value, puts back those before it. */
  private static boolean applyAll(Call call, Map<Settings.Option, String> changes) {
    Map<Settings.Option, String> before = new LinkedHashMap<>();
    for (Map.Entry<Settings.Option, String> change : changes.entrySet()) {
      Settings.Option option = change.getKey();
      before.put(option, option.get());
      String error = option.set(change.getValue());
      if (error == null) continue;
      before.forEach((changed, value) -> changed.set(value));
      refuse(call, option.name(), error);
      return false;
    }
    return true;
  }

  /** CONFIG RESETSTAT: sets the counters of INFO back to zero. */
  static void configResetstat(Call call) {
    call.engine().statistics().reset();
    call.engine().floor().resetStatistics();
    call.reply().ok();
  }

  /** CONFIG HELP: the subcommands. */
  static void configHelp(Call call) {
    Help.reply(call);
  }

  // COMMAND

  /** COMMAND: replies facts about every command. */
  static void command(Call call) {
    CommandReplies.all(call);
  }

  /** COMMAND COUNT: replies how many commands there are. */
  static void commandCount(Call call) {
    call.reply().integer(call.executor().table().commands().size());
  }

  /** COMMAND INFO [name ...]: replies facts about those commands, or all. */
  static void commandInfo(Call call) {
    CommandReplies.info(call);
  }

  /** COMMAND DOCS [name ...]: replies documentation of those commands, or all. */
  static void commandDocs(Call call) {
    CommandReplies.docs(call);
  }

  /** COMMAND LIST [FILTERBY ...]: replies the commands' names. */
  static void commandList(Call call) {
    CommandReplies.list(call);
  }

  /** COMMAND GETKEYS command arg ...: replies which arguments are keys. */
  static void commandGetkeys(Call call) {
    CommandReplies.keys(call, false);
  }

  /** COMMAND GETKEYSANDFLAGS command arg ...: the same, with what is done to each key. */
  static void commandGetkeysandflags(Call call) {
    CommandReplies.keys(call, true);
  }

  /** COMMAND HELP: the subcommands. */
  static void commandHelp(Call call) {
    Help.reply(call);
  }
}
