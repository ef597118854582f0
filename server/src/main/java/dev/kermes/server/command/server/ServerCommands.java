package dev.kermes.server.command.server;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.command.debug.Debug;
import dev.kermes.server.command.info.Info;
import dev.kermes.server.config.ShutdownMode;
import dev.kermes.server.engine.Shutdown;
import dev.kermes.server.engine.SuspendedScript;
import dev.kermes.server.keyspace.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The server as a whole: facts about it, all keys at once, its shutdown. */
public final class ServerCommands {

  private ServerCommands() {}

  // Keyspace

  /** DBSIZE: replies how many keys the database has. O(1). */
  public static void dbsize(Call call) {
    call.reply().integer(call.database().size());
  }

  /** FLUSHDB [ASYNC|SYNC]: deletes all keys of the database; memory is reclaimed later. O(1). */
  public static void flushdb(Call call) {
    if (!checkFlushMode(call)) return;
    flush(call, call.database());
    call.log().always();
    call.engine().tracking().allChanged();
    call.reply().ok();
  }

  /**
   * FLUSHALL [ASYNC|SYNC]: deletes all keys of all databases, gives up a background save, and with
   * save points saves the empty data at once. O(1).
   */
  public static void flushall(Call call) {
    if (!checkFlushMode(call)) return;
    for (Database database : call.engine().keyspace().databases()) flush(call, database);
    call.engine().persistence().allDeleted();
    call.log().always();
    call.engine().tracking().allChanged();
    call.reply().ok();
  }

  private static boolean checkFlushMode(Call call) {
    boolean isKnown =
        call.argc() == 1 || call.argc() == 2 && (call.is(1, "SYNC") || call.is(1, "ASYNC"));
    if (!isKnown) call.syntaxError();
    return isKnown;
  }

  private static void flush(Call call, Database database) {
    call.engine().keyspace().addDirty(database.size());
    boolean isLazy = !call.isInTransaction() || call.is(call.argc() - 1, "ASYNC");
    if (isLazy) call.engine().statistics().lazyFreedObjects += database.size();
    database.clear();
  }

  /** SWAPDB index index: exchanges two databases. O(clients that watch or wait). */
  public static void swapdb(Call call) {
    if (call.engine().cluster() != null) {
      call.error("ERR SWAPDB is not allowed in cluster mode");
      return;
    }
    long firstIndex = databaseIndex(call, 1, "ERR invalid first DB index");
    if (call.failed()) return;
    long secondIndex = databaseIndex(call, 2, "ERR invalid second DB index");
    if (call.failed()) return;
    Database first = databaseOf(call, firstIndex);
    Database second = first == null ? null : databaseOf(call, secondIndex);
    if (first == null || second == null) return;
    if (first != second) first.swapWith(second);
    call.engine().keyspace().addDirty(1);
    call.reply().ok();
  }

  private static long databaseIndex(Call call, int i, String notANumber) {
    return Arguments.integerOrError(call, i, Integer.MIN_VALUE, Integer.MAX_VALUE, notANumber);
  }

  private static @Nullable Database databaseOf(Call call, long index) {
    if (index >= 0 && index < call.engine().keyspace().databases().size()) {
      return call.engine().keyspace().database((int) index);
    }
    call.error("ERR DB index is out of range");
    return null;
  }

  // The server

  /** TIME: replies Unix seconds and the microseconds of the current one. O(1). */
  public static void time(Call call) {
    // Time does not pass within a script, unless it takes so long that other clients have been
    // told.
    boolean standsStill = call.isFromScript() && call.engine().suspended() == null;
    long millis = standsStill ? call.nowMillis() : call.engine().keyspace().clock().millis();
    call.reply().array(2);
    call.reply().bulk(millis / 1000);
    call.reply().bulk(millis % 1000 * 1000);
  }

  /** LOLWUT: draws the insect that gave carmine and Kermes their names. */
  public static void lolwut(Call call) {
    call.reply()
        .verbatim(
            "txt",
            Lolwut.picture(
                call.random(), call.engine().settings().serverOptions().announcedRelease.value()));
  }

  /**
   * SHUTDOWN [NOSAVE|SAVE] [NOW] [FORCE] | ABORT: lets the replicas catch up, saves if there are
   * save points or if requested, unless the data are still being loaded, and ends the server; there
   * is no reply on success.
   */
  public static void shutdown(Call call) {
    Shutdown shutdown = call.engine().shutdown();
    if (call.waiting().isRetry()) {
      if (shutdown.isOn()) call.waiting().withoutKeys(0);
      else call.error("ERR Errors trying to SHUTDOWN. Check logs.");
    } else if (call.argc() == 2 && call.is(1, "ABORT")) {
      if (shutdown.abort()) call.reply().ok();
      else call.error("ERR No shutdown in progress.");
    } else {
      requestShutdown(call, shutdown);
    }
  }

  private static void requestShutdown(Call call, Shutdown shutdown) {
    List<String> words = new ArrayList<>();
    for (int i = 1; i < call.argc(); i++) words.add(call.text(i).toLowerCase(Locale.ROOT));
    ShutdownMode mode = ShutdownMode.of(words);
    if (mode == null) {
      call.syntaxError();
      return;
    }
    SuspendedScript busy = call.engine().suspended();
    if (busy != null && mode.saving() != ShutdownMode.Saving.NEVER) {
      call.error(busy.run().busyError());
      return;
    }
    call.waiting().withoutKeys(0);
    shutdown.request(mode);
  }

  /** INFO [section ...]: replies facts and counters as text, by section. */
  public static void info(Call call) {
    List<String> sections = new ArrayList<>();
    for (int i = 1; i < call.argc(); i++) sections.add(call.text(i).toLowerCase(Locale.ROOT));
    call.execution().settleTimes();
    String text = Info.text(call.engine(), call.execution().table(), sections);
    call.reply().verbatim("txt", text);
  }

  /** DEBUG subcommand: tools for tests; enable-debug-command says which clients may use them. */
  public static void debug(Call call) {
    Debug.execute(call);
  }

  // COMMAND

  /** COMMAND: replies facts about every command. */
  public static void command(Call call) {
    CommandReplies.all(call);
  }

  /** COMMAND COUNT: replies the number of commands. */
  public static void commandCount(Call call) {
    call.reply().integer(call.execution().table().commands().size());
  }

  /** COMMAND INFO [name ...]: replies facts about those commands, or about all. */
  public static void commandInfo(Call call) {
    CommandReplies.info(call);
  }

  /** COMMAND DOCS [name ...]: replies the documentation of those commands, or of all. */
  public static void commandDocs(Call call) {
    CommandReplies.docs(call);
  }

  /** COMMAND LIST [FILTERBY ...]: replies the commands' names. */
  public static void commandList(Call call) {
    CommandReplies.list(call);
  }

  /** COMMAND GETKEYS command arg ...: replies which arguments are keys. */
  public static void commandGetkeys(Call call) {
    CommandReplies.keys(call, false);
  }

  /** COMMAND GETKEYSANDFLAGS command arg ...: the same, with the use of each key. */
  public static void commandGetkeysandflags(Call call) {
    CommandReplies.keys(call, true);
  }

  /** COMMAND HELP: the subcommands. */
  public static void commandHelp(Call call) {
    Help.reply(call);
  }
}
