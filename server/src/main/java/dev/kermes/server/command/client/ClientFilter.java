package dev.kermes.server.command.client;

import dev.kermes.server.acl.User;
import dev.kermes.server.client.ClientMode;
import dev.kermes.server.client.Session;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.ClientLine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects the connections that CLIENT LIST shows and CLIENT KILL closes: those that satisfy every
 * filter. The filters are Valkey's, which has more of them than Redis. Of filters of the same kind
 * the last one counts, except that ids add up. A closed connection does not exist for other
 * clients, even if its loop has not handled it yet.
 */
final class ClientFilter {

  /** The letters that {@code flags=} of CLIENT LIST may contain. */
  private static final String FLAGS = "AbBcdeEgiIkKMnNOPrRStTuUx";

  private final Session me;
  private final Map<String, Predicate<Session>> conditions = new HashMap<>();

  private ClientFilter(Call call) {
    me = call.session();
  }

  boolean accepts(Session session) {
    if (session.isClosing() && session != me) return false;
    return conditions.values().stream().allMatch(condition -> condition.test(session));
  }

  static ClientFilter forAddress(Call call, String address) {
    ClientFilter filter = new ClientFilter(call);
    filter.conditions.put("ADDR", session -> session.connection().peerAddress().equals(address));
    return filter;
  }

  /** Reads the filters of CLIENT LIST; null after replying an error. */
  static @Nullable ClientFilter forList(Call call) {
    return read(call, false, Long.MIN_VALUE, "ERR Invalid client ID");
  }

  /** Reads the filters of CLIENT KILL; null after replying an error. */
  static @Nullable ClientFilter forKill(Call call) {
    return read(call, true, 1, "ERR client-id should be greater than 0");
  }

  private static @Nullable ClientFilter read(
      Call call, boolean skipsMe, long idMin, String notAnId) {
    ClientFilter filter = new ClientFilter(call);
    Session me = call.session();
    if (skipsMe) filter.conditions.put("SKIPME", session -> session != me);
    int i = 2;
    while (i + 1 < call.argc()) {
      String name = call.text(i).toUpperCase(Locale.ROOT);
      boolean isNegated = name.startsWith("NOT-");
      String plain = isNegated ? name.substring("NOT-".length()) : name;
      int next = plain.equals("ID") ? endOfIds(call, i + 1) : i + 2;
      Predicate<Session> condition = condition(call, plain, i + 1, next, idMin, notAnId);
      if (call.failed() || condition == null) return null;
      filter.add(name, isNegated ? condition.negate() : condition);
      i = next;
    }
    if (i == call.argc()) return filter;
    call.syntaxError();
    return null;
  }

  private void add(String name, Predicate<Session> condition) {
    switch (name) {
      case "ID" -> conditions.merge(name, condition, Predicate::or);
      case "NOT-ID" -> conditions.merge(name, condition, Predicate::and);
      default -> conditions.put(name, condition);
    }
  }

  /** The argument after the ids, the next one that is not a number. */
  private static int endOfIds(Call call, int first) {
    int end = first + 1;
    while (end < call.argc() && call.slice(end).isLong()) end++;
    return end;
  }

  private static @Nullable Predicate<Session> condition(
      Call call, String name, int first, int end, long idMin, String notAnId) {
    String value = call.shown(first);
    return switch (name) {
      case "ID" -> ids(call, first, end, idMin, notAnId);
      case "TYPE" -> type(call, value);
      case "ADDR" -> session -> session.connection().peerAddress().equals(value);
      case "LADDR" -> session -> session.connection().localAddress().equals(value);
      case "IP" -> session -> session.connection().peerIp().equals(value);
      case "MAXAGE" -> maxAge(call, first);
      case "IDLE" -> idle(call, first);
      case "NAME" -> session -> session.info().name().equals(value);
      case "LIB-NAME" -> session -> session.info().libraryName().equals(value);
      case "LIB-VER" -> session -> session.info().libraryVersion().equals(value);
      case "DB" -> database(call, first);
      case "FLAGS" -> flags(call, value);
      case "CAPA" -> capabilities(call, value);
      case "USER" -> user(call, call.text(first));
      case "SKIPME" -> skipMe(call, first);
      default -> {
        call.syntaxError();
        yield null;
      }
    };
  }

  private static @Nullable Predicate<Session> ids(
      Call call, int first, int end, long min, String message) {
    Set<Long> ids = new HashSet<>();
    for (int i = first; i < end; i++) {
      ids.add(Arguments.integerOrError(call, i, min, Long.MAX_VALUE, message));
      if (call.failed()) return null;
    }
    return session -> ids.contains(session.id());
  }

  /** Accepts connections that are at least this many seconds old. */
  private static Predicate<Session> maxAge(Call call, int i) {
    long seconds = seconds(call, i, "maxage");
    long now = call.nowMillis();
    return session -> (now - session.info().createdMillis()) / 1000 >= seconds;
  }

  /** Accepts connections that have sent nothing for this many seconds. */
  private static Predicate<Session> idle(Call call, int i) {
    long seconds = seconds(call, i, "idle");
    long now = call.nowMillis();
    return session -> (now - session.info().lastActiveMillis()) / 1000 >= seconds;
  }

  private static long seconds(Call call, int i, String name) {
    long seconds = call.integer(i, "ERR " + name + " is not an integer or out of range");
    if (!call.failed() && seconds < 1) call.error("ERR " + name + " should be greater than 0");
    return seconds;
  }

  private static Predicate<Session> database(Call call, int i) {
    int count = call.engine().keyspace().databases().size();
    String message = "ERR DB number should be between 0 and " + (count - 1);
    long index = Arguments.integerOrError(call, i, 0, count - 1L, message);
    return session -> session.database().index() == index;
  }

  private static @Nullable Predicate<Session> flags(Call call, String wanted) {
    String unknown =
        wanted
            .chars()
            .filter(letter -> FLAGS.indexOf(letter) < 0)
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    if (unknown.isEmpty()) {
      return session ->
          wanted.chars().allMatch(c -> ClientLine.flags(call, session).indexOf(c) >= 0);
    }
    call.error("ERR Unknown flags found in the provided filter: " + wanted);
    return null;
  }

  /** Accepts connections with all of these capabilities; only one capability exists. */
  private static @Nullable Predicate<Session> capabilities(Call call, String wanted) {
    if (wanted.matches("r*"))
      return session -> wanted.isEmpty() || session.is(ClientMode.REDIRECTS);
    call.error("ERR Unknown capa found in the provided filter: " + wanted);
    return null;
  }

  private static @Nullable Predicate<Session> user(Call call, String name) {
    User user = call.engine().acl().users().find(name);
    if (user != null) return session -> session.user() == user;
    call.error("ERR No such user '" + name + "'");
    return null;
  }

  private static @Nullable Predicate<Session> skipMe(Call call, int i) {
    Session me = call.session();
    if (call.is(i, "YES")) return session -> session != me;
    if (call.is(i, "NO")) return session -> true;
    call.syntaxError();
    return null;
  }

  private static @Nullable Predicate<Session> type(Call call, String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "normal" ->
          session ->
              session.subscriptions().isEmpty() && !session.isMaster() && !session.isReplica();
      case "pubsub" -> session -> !session.subscriptions().isEmpty() && !session.isReplica();
      case "master", "primary" -> Session::isMaster;
      case "replica", "slave" -> Session::isReplica;
      default -> {
        call.error("ERR Unknown client type '" + name + "'");
        yield null;
      }
    };
  }
}
