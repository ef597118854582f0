package dev.kermes.server.command;

import dev.kermes.server.engine.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which connections CLIENT LIST shows and CLIENT KILL closes: those that satisfy every filter. */
final class ClientFilter {

  private final List<Predicate<Session>> conditions = new ArrayList<>();

  private ClientFilter() {}

  boolean accepts(Session session) {
    return conditions.stream().allMatch(condition -> condition.test(session));
  }

  static ClientFilter forAddress(String address) {
    ClientFilter filter = new ClientFilter();
    filter.conditions.add(session -> session.outlet().peerAddress().equals(address));
    return filter;
  }

  /** Reads TYPE or ID of CLIENT LIST; null after replying an error. */
  static @Nullable ClientFilter forList(Call call) {
    ClientFilter filter = new ClientFilter();
    if (call.argc() == 4 && call.is(2, "TYPE")) return filter.addType(call, 3) ? filter : null;
    if (call.argc() > 3 && call.is(2, "ID")) return filter.addIds(call, 3) ? filter : null;
    if (call.argc() == 2) return filter;
    call.syntaxError();
    return null;
  }

  /** Reads the filters of CLIENT KILL; null after replying an error. */
  static @Nullable ClientFilter forKill(Call call) {
    if (call.argc() % 2 != 0) {
      call.syntaxError();
      return null;
    }
    ClientFilter filter = new ClientFilter();
    boolean skipsMe = true;
    for (int i = 2; i < call.argc(); i += 2) {
      if (call.is(i, "SKIPME")) {
        skipsMe = call.is(i + 1, "YES");
        if (skipsMe || call.is(i + 1, "NO")) continue;
        call.syntaxError();
        return null;
      }
      if (!filter.add(call, i)) return null;
    }
    Session me = call.session();
    if (skipsMe) filter.conditions.add(session -> session != me);
    return filter;
  }

  private boolean add(Call call, int i) {
    String value = call.utf8(i + 1);
    if (call.is(i, "TYPE")) return addType(call, i + 1);
    if (call.is(i, "ID")) return addId(call, i + 1);
    if (call.is(i, "ADDR")) {
      conditions.add(session -> session.outlet().peerAddress().equals(value));
    } else if (call.is(i, "LADDR")) {
      conditions.add(session -> session.outlet().localAddress().equals(value));
    } else if (call.is(i, "MAXAGE")) {
      return addMaxAge(call, i + 1);
    } else if (call.is(i, "USER")) {
      if (!value.equals("default")) {
        call.error("ERR No such user '" + value + "'");
        return false;
      }
    } else {
      call.syntaxError();
      return false;
    }
    return true;
  }

  private boolean addId(Call call, int i) {
    long id = call.integer(i, "ERR client-id should be greater than 0");
    if (!call.failed() && id < 1) call.error("ERR client-id should be greater than 0");
    conditions.add(session -> session.id() == id);
    return !call.failed();
  }

  /** Connections that are at least so many seconds old. */
  private boolean addMaxAge(Call call, int i) {
    String message = "ERR maxage should be greater than 0";
    long seconds = Arguments.within(call, i, 1, Long.MAX_VALUE, message);
    long now = call.nowMillis();
    conditions.add(session -> (now - session.createdMillis()) / 1000 >= seconds);
    return !call.failed();
  }

  private boolean addIds(Call call, int first) {
    List<Long> ids = new ArrayList<>();
    for (int i = first; i < call.argc(); i++) {
      ids.add(call.integer(i, "ERR Invalid client ID"));
      if (call.failed()) return false;
    }
    conditions.add(session -> ids.contains(session.id()));
    return true;
  }

  private boolean addType(Call call, int i) {
    switch (call.text(i).toLowerCase(Locale.ROOT)) {
      case "normal" -> conditions.add(session -> !session.isSubscriber());
      case "pubsub" -> conditions.add(Session::isSubscriber);
      case "master", "replica", "slave" -> conditions.add(session -> false);
      default -> {
        call.error("ERR Unknown client type '" + call.utf8(i) + "'");
        return false;
      }
    }
    return true;
  }
}
