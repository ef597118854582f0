package dev.kermes.server.command.client;

import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.Session;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.ClientLine;
import dev.kermes.server.command.Help;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CLIENT: facts about connections, and their properties. */
public final class ClientCommands {

  static final String BAD_NAME =
      "ERR Client names cannot contain spaces, newlines or special characters.";

  private ClientCommands() {}

  /** CLIENT ID: replies the number of this connection. O(1). */
  public static void clientId(Call call) {
    call.reply().integer(call.session().id());
  }

  /** CLIENT GETNAME: replies the connection's name, nil if it has none. O(1). */
  public static void clientGetname(Call call) {
    String name = call.session().info().name();
    if (name.isEmpty()) call.reply().nil();
    else call.reply().bulk(name);
  }

  /** CLIENT SETNAME name: names the connection; an empty name removes it. O(1). */
  public static void clientSetname(Call call) {
    String name = call.utf8(2);
    if (!isName(name)) {
      call.error(BAD_NAME);
      return;
    }
    call.session().info().name(name);
    call.reply().ok();
  }

  /** Whether a name is printable ASCII without spaces, so that CLIENT LIST stays readable. */
  static boolean isName(String name) {
    return name.chars().allMatch(c -> c >= '!' && c <= '~');
  }

  /** CLIENT SETINFO LIB-NAME|LIB-VER value: stores facts about the client's library. O(1). */
  public static void clientSetinfo(Call call) {
    String value = call.utf8(3);
    boolean isVersion = call.is(2, "LIB-VER");
    if (!isVersion && !call.is(2, "LIB-NAME")) {
      call.error("ERR Unrecognized option '" + call.shown(2) + "'");
    } else if (!isName(value)) {
      String attribute = isVersion ? "lib-ver" : "lib-name";
      call.error("ERR " + attribute + " cannot contain spaces, newlines or special characters.");
    } else {
      if (isVersion) call.session().info().libraryVersion(value);
      else call.session().info().libraryName(value);
      call.reply().ok();
    }
  }

  /**
   * CLIENT CAPA capability [capability ...]: stores the client's capabilities, as in Valkey.
   * REDIRECT is the only one, and has an effect on replicas: they reply {@code -REDIRECT host:port}
   * to commands for their master. Unknown capabilities are ignored. O(1).
   */
  public static void clientCapa(Call call) {
    for (int i = 2; i < call.argc(); i++) {
      if (call.is(i, "REDIRECT")) call.session().set(ClientMode.REDIRECTS, true);
    }
    call.reply().ok();
  }

  /** CLIENT INFO: replies this connection's line of CLIENT LIST. O(1). */
  public static void clientInfo(Call call) {
    call.reply().verbatim("txt", ClientLine.of(call, call.session()) + "\n");
  }

  /** CLIENT LIST [filters]: replies a line per connection. O(N). */
  public static void clientList(Call call) {
    ClientFilter filter = ClientFilter.forList(call);
    if (filter == null) return;
    StringBuilder lines = new StringBuilder();
    for (Session session : call.engine().clients().sessions()) {
      if (filter.accepts(session)) lines.append(ClientLine.of(call, session)).append('\n');
    }
    call.reply().verbatim("txt", lines.toString());
  }

  /** CLIENT KILL address | filters: closes connections; replies OK or the number. O(N). */
  public static void clientKill(Call call) {
    boolean isOldForm = call.argc() == 3;
    ClientFilter filter =
        isOldForm ? ClientFilter.forAddress(call, call.utf8(2)) : ClientFilter.forKill(call);
    if (filter == null) return;
    List<Session> matching =
        call.engine().clients().sessions().stream().filter(filter::accepts).toList();
    for (Session session : matching) session.close();
    if (!isOldForm) call.reply().integer(matching.size());
    else if (matching.isEmpty()) call.error("ERR No such client");
    else call.reply().ok();
  }

  /** CLIENT NO-EVICT ON|OFF: spares the connection from client eviction. O(1). */
  public static void clientNoEvict(Call call) {
    Boolean on = onOff(call, 2);
    if (on == null) return;
    call.session().set(ClientMode.NO_EVICT, on);
    call.reply().ok();
  }

  /** CLIENT NO-TOUCH ON|OFF: whether its reads leave the keys' access times alone. O(1). */
  public static void clientNoTouch(Call call) {
    Boolean on = onOff(call, 2);
    if (on == null) return;
    call.session().set(ClientMode.NO_TOUCH, on);
    call.reply().ok();
  }

  /** CLIENT IMPORT-SOURCE ON|OFF: in import mode, sees and changes expired keys. O(1). */
  public static void clientImportSource(Call call) {
    if (!call.is(2, "OFF") && !call.engine().settings().keyspaceOptions().importMode.isOn()) {
      call.error("ERR Server is not in import mode");
      return;
    }
    Boolean on = onOff(call, 2);
    if (on == null) return;
    call.session().set(ClientMode.IMPORT_SOURCE, on);
    call.reply().ok();
  }

  private static @Nullable Boolean onOff(Call call, int i) {
    if (call.is(i, "ON")) return true;
    if (call.is(i, "OFF")) return false;
    call.syntaxError();
    return null;
  }

  /** CLIENT REPLY ON|OFF|SKIP: whether commands get replies; ON replies OK. O(1). */
  public static void clientReply(Call call) {
    Session session = call.session();
    if (call.is(2, "ON")) {
      session.replies(Session.Replies.ON);
      call.reply().ok();
    } else if (call.is(2, "OFF")) {
      session.replies(Session.Replies.OFF);
    } else if (call.is(2, "SKIP")) {
      if (session.replies() != Session.Replies.OFF) session.replies(Session.Replies.SKIP);
    } else {
      call.syntaxError();
    }
  }

  /** CLIENT PAUSE milliseconds [WRITE|ALL]: holds back commands for a while. O(1). */
  public static void clientPause(Call call) {
    if (call.argc() > 4) {
      Arguments.subcommandMistake(call);
      return;
    }
    long millis = Arguments.timeoutMillis(call, 2);
    if (call.failed()) return;
    boolean isWriteOnly = call.argc() == 4 && call.is(3, "WRITE");
    if (call.argc() > 3 && !isWriteOnly && !call.is(3, "ALL")) {
      call.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
      return;
    }
    long until = call.nowMillis() + millis;
    call.engine().pause().begin(Pause.Reason.CLIENT, until, !isWriteOnly);
    call.reply().ok();
  }

  /** CLIENT UNPAUSE: runs the commands that a pause has held back. O(N). */
  public static void clientUnpause(Call call) {
    call.engine().pause().end(Pause.Reason.CLIENT);
    call.reply().ok();
  }

  /** CLIENT UNBLOCK id [TIMEOUT|ERROR]: ends another connection's wait; replies 1 or 0. O(1). */
  public static void clientUnblock(Call call) {
    if (call.argc() > 4) {
      Arguments.subcommandMistake(call);
      return;
    }
    long id = call.integer(2);
    if (call.failed()) return;
    boolean isError = call.argc() > 3 && call.is(3, "ERROR");
    if (call.argc() > 3 && !isError && !call.is(3, "TIMEOUT")) {
      call.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
      return;
    }
    Session session = call.engine().clients().session(id);
    BlockedClient blocked = session == null ? null : session.blocked();
    if (blocked != null) {
      String error = isError ? "UNBLOCKED client unblocked via CLIENT UNBLOCK" : null;
      call.execution().endWait(blocked, error);
    }
    call.reply().integer(blocked == null ? 0 : 1);
  }

  /** CLIENT TRACKING ON|OFF [options]: tells this connection when keys that it has read change. */
  public static void clientTracking(Call call) {
    ClientTracking.tracking(call);
  }

  /** CLIENT CACHING YES|NO: whether the keys of the next command are tracked. O(1). */
  public static void clientCaching(Call call) {
    ClientTracking.caching(call);
  }

  /**
   * CLIENT GETREDIR: replies the id of the client that gets the messages, 0 for none, -1 without
   * tracking. O(1).
   */
  public static void clientGetredir(Call call) {
    ClientTracking.getredir(call);
  }

  /** CLIENT TRACKINGINFO: replies how this connection tracks. O(1). */
  public static void clientTrackinginfo(Call call) {
    ClientTracking.info(call);
  }

  /** CLIENT HELP: the subcommands. */
  public static void clientHelp(Call call) {
    Help.reply(call);
  }
}
