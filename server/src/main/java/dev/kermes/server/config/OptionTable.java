package dev.kermes.server.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All options by name, in their order of display, and their aliases. */
final class OptionTable {

  private final Map<String, Option> options = new LinkedHashMap<>();
  private final Map<String, Option> aliases = new LinkedHashMap<>();

  /** Adds an option that may be set while the server runs. */
  void mutable(String name, Option.Kind kind) {
    options.put(name, new Option(name, true, false, kind.get(), kind));
  }

  /** Adds an option that, while the server runs, may only be set to its present value. */
  void settled(String name, Option.Kind kind) {
    options.put(name, new Option(name, false, true, kind.get(), kind));
  }

  /** Adds an option that may not be set while the server runs. */
  void fixed(String name, Option.Kind kind) {
    options.put(name, new Option(name, false, false, kind.get(), kind));
  }

  /** Adds another name for an option. */
  void alias(String alias, String name) {
    Option option = options.get(name);
    if (option == null) throw new AssertionError("alias of nothing: name=" + name);
    aliases.put(
        alias, new Option(alias, option.isMutable(), false, option.initial(), option.kind()));
  }

  /** Makes an option's present value its default. */
  void preset(String name) {
    Option option = options.get(name);
    if (option == null) throw new IllegalArgumentException("unknown option: name=" + name);
    options.put(
        name,
        new Option(name, option.isMutable(), option.isSettled(), option.get(), option.kind()));
  }

  /** All options without aliases. */
  Collection<Option> all() {
    return options.values();
  }

  Set<String> aliasNames() {
    return aliases.keySet();
  }

  @Nullable Option find(String name) {
    String key = name.toLowerCase(Locale.ROOT);
    Option option = options.get(key);
    return option != null ? option : aliases.get(key);
  }

  /** The option itself if the given one is an alias. */
  Option realOption(Option option) {
    for (Option each : options.values()) if (each.kind() == option.kind()) return each;
    throw new AssertionError("an alias of nothing: name=" + option.name());
  }
}
