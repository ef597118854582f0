package dev.kermes.server.engine;

import static dev.kermes.server.engine.OptionKinds.choice;
import static dev.kermes.server.engine.OptionKinds.number;
import static dev.kermes.server.engine.OptionKinds.yesNo;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Options that programs ask for and set, and that change nothing here. */
final class OptionsWithoutEffect {

  /**
   * Options whose values are checked and kept for those who ask, and change nothing: the JVM frees
   * and moves memory by itself and in the background, lists are not compressed, large values are
   * always replied without a copy, and a replica's first copy comes on the connection of its
   * stream.
   */
  private static final Map<String, String> DEFAULTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("activerehashing", "yes"),
              Map.entry("active-defrag-cycle-max", "25"),
              Map.entry("active-defrag-cycle-min", "1"),
              Map.entry("active-defrag-ignore-bytes", "104857600"),
              Map.entry("active-defrag-threshold-lower", "10"),
              Map.entry("active-defrag-threshold-upper", "100"),
              Map.entry("dual-channel-replication-enabled", "no"),
              Map.entry("dynamic-hz", "yes"),
              Map.entry("jemalloc-bg-thread", "yes"),
              Map.entry("lazyfree-lazy-user-del", "yes"),
              Map.entry("lazyfree-lazy-user-flush", "yes"),
              Map.entry("list-compress-depth", "0"),
              Map.entry("min-io-threads-avoid-copy-reply", "7"),
              Map.entry("min-string-size-avoid-copy-reply", "16384"),
              Map.entry("min-string-size-avoid-copy-reply-threaded", "65536"),
              Map.entry("prefetch-batch-max-size", "16")));

  private OptionsWithoutEffect() {}

  static void declare(OptionTable table) {
    unchangeable(table, "activedefrag", "no");
    table.fixed(
        "enable-module-command", choice(List.of("no", "local", "yes"), () -> "no", value -> {}));
    unchangeable(table, "io-threads", "1");
    DEFAULTS.forEach((name, value) -> declare(table, name, value));
    declareSanitizing(table);
  }

  /** What cannot be otherwise yet; programs ask, and may set it to what it is. */
  private static void unchangeable(OptionTable table, String name, String truth) {
    table.mutable(name, choice(List.of(truth), () -> truth, value -> {}));
  }

  /** All payloads are checked, whatever it says. */
  private static void declareSanitizing(OptionTable table) {
    String[] current = {"no"};
    table.mutable(
        "sanitize-dump-payload",
        choice(List.of("no", "yes", "clients"), () -> current[0], value -> current[0] = value));
  }

  private static void declare(OptionTable table, String name, String value) {
    String[] current = {value};
    table.mutable(
        name,
        value.equals("yes") || value.equals("no")
            ? yesNo(() -> current[0].equals("yes"), isOn -> current[0] = isOn ? "yes" : "no")
            : number(
                0,
                Integer.MAX_VALUE,
                () -> Long.parseLong(current[0]),
                number -> current[0] = Long.toString(number)));
  }
}
