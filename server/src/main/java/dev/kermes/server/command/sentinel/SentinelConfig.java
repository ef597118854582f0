package dev.kermes.server.command.sentinel;

import dev.kermes.server.command.Call;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.sentinel.SentinelNode;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * SENTINEL CONFIG: options that belong to no master. All but the announced address are only kept.
 */
final class SentinelConfig {

  static final String USAGE =
      "ERR Only SENTINEL CONFIG GET <param> [<param> <param> ...] / SET <param> <value> [<param>"
          + " <value> ...] are supported.";

  private static final Set<String> LOG_LEVELS =
      Set.of("debug", "verbose", "notice", "warning", "nothing");

  private SentinelConfig() {}

  static void get(Call call, SentinelNode self) {
    Map<String, String> options = self.group().locked(() -> new LinkedHashMap<>(self.options()));
    options.keySet().removeIf(name -> !isWanted(call, name));
    call.reply().map(options.size());
    options.forEach((name, value) -> {
      call.reply().bulk(name);
      call.reply().bulk(value);
    });
  }

  private static boolean isWanted(Call call, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    for (int i = 3; i < call.argc(); i++) {
      byte[] pattern = call.text(i).toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
      if (Glob.matches(pattern, bytes)) return true;
    }
    return false;
  }

  static void set(Call call, SentinelNode self) {
    Map<String, String> changes = new LinkedHashMap<>();
    Set<String> known = new HashSet<>(self.options().keySet());
    for (int i = 3; i < call.argc() && !call.failed(); i += 2) {
      String name = call.text(i).toLowerCase(Locale.ROOT);
      if (!known.contains(name)) {
        call.error("ERR Invalid argument '" + call.shown(i) + "' to SENTINEL CONFIG SET");
      } else if (changes.containsKey(name)) {
        call.error("ERR Duplicate argument '" + call.shown(i) + "' to SENTINEL CONFIG SET");
      } else if (i + 1 == call.argc()) {
        call.error("ERR Missing argument '" + call.shown(i) + "' value");
      } else if (!isValid(name, call.text(i + 1))) {
        call.error(
            "ERR Invalid value '"
                + call.shown(i + 1)
                + "' to SENTINEL CONFIG SET '"
                + call.shown(i)
                + "'");
      } else {
        changes.put(name, call.text(i + 1));
      }
    }
    if (call.failed()) return;
    self.group()
        .locked(() -> {
          self.options().putAll(changes);
          return changes;
        });
    call.reply().ok();
  }

  private static boolean isValid(String name, String value) {
    return switch (name) {
      case "resolve-hostnames", "announce-hostnames" -> value.matches("(?i)yes|no");
      case "announce-port" -> value.matches("\\d{1,5}") && Integer.parseInt(value) <= 65_535;
      case "loglevel" -> LOG_LEVELS.contains(value.toLowerCase(Locale.ROOT));
      default -> true;
    };
  }
}
