package dev.kermes.server.command.client;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.TrackingMode;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.ByteKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Client-side caching, controlled by subcommands of CLIENT. */
final class ClientTracking {

  private ClientTracking() {}

  /** The options of CLIENT TRACKING ON. */
  private static final class Options {
    private boolean broadcast;
    private boolean optIn;
    private boolean optOut;
    private boolean noLoop;
    private long redirect;
    private final List<ByteKey> prefixes = new ArrayList<>();
  }

  static void tracking(Call call) {
    Options options = parse(call);
    if (options == null) return;
    Session session = call.session();
    if (call.is(2, "OFF")) {
      call.engine().tracking().stop(session);
      call.reply().ok();
    } else if (!call.is(2, "ON")) {
      call.syntaxError();
    } else {
      String mistake = mistakeOf(options, session.tracking());
      if (mistake != null) {
        call.error(mistake);
        return;
      }
      start(call, options);
      call.reply().ok();
    }
  }

  private static @Nullable Options parse(Call call) {
    Options options = new Options();
    for (int i = 3; i < call.argc(); i++) {
      boolean hasNext = i + 1 < call.argc();
      if (call.is(i, "REDIRECT") && hasNext) {
        if (!parseRedirect(call, ++i, options)) return null;
      } else if (call.is(i, "PREFIX") && hasNext) {
        options.prefixes.add(new ByteKey(call.arg(++i)));
      } else if (call.is(i, "BCAST")) {
        options.broadcast = true;
      } else if (call.is(i, "OPTIN")) {
        options.optIn = true;
      } else if (call.is(i, "OPTOUT")) {
        options.optOut = true;
      } else if (call.is(i, "NOLOOP")) {
        options.noLoop = true;
      } else {
        call.syntaxError();
        return null;
      }
    }
    return options;
  }

  private static boolean parseRedirect(Call call, int i, Options options) {
    if (options.redirect != 0) {
      call.error("ERR A client can only redirect to a single other client");
      return false;
    }
    options.redirect = call.integer(i);
    if (!call.failed() && call.engine().clients().session(options.redirect) == null) {
      call.error("ERR The client ID you want redirect to does not exist");
    }
    return !call.failed();
  }

  private static @Nullable String mistakeOf(Options options, @Nullable TrackingMode before) {
    if (!options.broadcast && !options.prefixes.isEmpty()) {
      return "ERR PREFIX option requires BCAST mode to be enabled";
    }
    if (before != null && before.isBroadcast() != options.broadcast) {
      return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and"
          + " then re-enabling it with a different mode.";
    }
    if (options.broadcast && (options.optIn || options.optOut)) {
      return "ERR OPTIN and OPTOUT are not compatible with BCAST";
    }
    if (options.optIn && options.optOut) {
      return "ERR You can't specify both OPTIN mode and OPTOUT mode";
    }
    if (before != null
        && (options.optIn && before.isOptOut() || options.optOut && before.isOptIn())) {
      return "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and"
          + " then re-enabling it with a different mode.";
    }
    return options.broadcast ? overlapOf(options, before) : null;
  }

  private static @Nullable String overlapOf(Options options, @Nullable TrackingMode before) {
    for (int i = 0; i < options.prefixes.size(); i++) {
      ByteKey prefix = options.prefixes.get(i);
      List<ByteKey> existing = before == null ? List.of() : before.prefixes();
      for (ByteKey other : existing) {
        if (!other.equals(prefix) && overlap(prefix, other)) {
          return "ERR Prefix '%s' overlaps with an existing prefix '%s'. Prefixes for a single client must not overlap."
              .formatted(text(prefix), text(other));
        }
      }
      for (ByteKey other : options.prefixes.subList(i + 1, options.prefixes.size())) {
        if (overlap(prefix, other)) {
          return "ERR Prefix '%s' overlaps with another provided prefix '%s'. Prefixes for a single client must not overlap."
              .formatted(text(prefix), text(other));
        }
      }
    }
    return null;
  }

  private static boolean overlap(ByteKey a, ByteKey b) {
    int length = Math.min(a.bytes().length, b.bytes().length);
    return Arrays.equals(a.bytes(), 0, length, b.bytes(), 0, length);
  }

  private static String text(ByteKey prefix) {
    return new String(prefix.bytes(), StandardCharsets.ISO_8859_1);
  }

  /** Begins tracking. Prefixes add to earlier ones; without any, every key is broadcast. */
  private static void start(Call call, Options options) {
    TrackingMode before = call.session().tracking();
    List<ByteKey> prefixes = new ArrayList<>(before == null ? List.of() : before.prefixes());
    for (ByteKey prefix : options.prefixes) if (!prefixes.contains(prefix)) prefixes.add(prefix);
    if (options.broadcast && prefixes.isEmpty()) prefixes.add(new ByteKey(new byte[0]));
    call.engine()
        .tracking()
        .start(
            call.session(),
            new TrackingMode(
                options.broadcast,
                options.optIn || before != null && before.isOptIn(),
                options.optOut || before != null && before.isOptOut(),
                options.noLoop || before != null && before.isNoLoop(),
                options.redirect,
                prefixes));
  }

  static void caching(Call call) {
    TrackingMode mode = call.session().tracking();
    if (mode == null || !mode.isOptIn() && !mode.isOptOut()) {
      call.error(
          "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or"
              + " OPTOUT mode enabled");
    } else if (call.is(2, "YES") && !mode.isOptIn()) {
      call.error("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
    } else if (call.is(2, "NO") && !mode.isOptOut()) {
      call.error("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
    } else if (!call.is(2, "YES") && !call.is(2, "NO")) {
      call.syntaxError();
    } else {
      mode.cachesNext(true);
      call.reply().ok();
    }
  }

  static void getredir(Call call) {
    TrackingMode mode = call.session().tracking();
    call.reply().integer(mode == null ? -1 : mode.redirect());
  }

  static void info(Call call) {
    TrackingMode mode = call.session().tracking();
    List<String> flags = flags(mode);
    RespWriter reply = call.reply();
    reply.map(3);
    reply.bulk("flags");
    reply.set(flags.size());
    for (String flag : flags) reply.bulk(flag);
    reply.bulk("redirect");
    reply.integer(mode == null ? -1 : mode.redirect());
    reply.bulk("prefixes");
    List<ByteKey> prefixes = mode == null ? List.of() : mode.prefixes();
    reply.array(prefixes.size());
    for (ByteKey prefix : prefixes) reply.bulk(prefix.bytes());
  }

  private static List<String> flags(@Nullable TrackingMode mode) {
    if (mode == null) return List.of("off");
    List<String> flags = new ArrayList<>(List.of("on"));
    if (mode.isBroadcast()) flags.add("bcast");
    if (mode.isOptIn()) flags.add("optin");
    if (mode.isOptIn() && mode.cachesNext()) flags.add("caching-yes");
    if (mode.isOptOut()) flags.add("optout");
    if (mode.isOptOut() && mode.cachesNext()) flags.add("caching-no");
    if (mode.isNoLoop()) flags.add("noloop");
    if (mode.isRedirectBroken()) flags.add("broken_redirect");
    return flags;
  }
}
