package dev.kermes.commands;

import java.util.Locale;

/**
 * How a command accesses a key.
 *
 * <p>Exactly one of RO, RW, OW, RM states the effect on the value as a whole (read, changed,
 * overwritten, removed); the next four state the effect on the user's data in it.
 */
public enum KeyFlag {
  RO,
  RW,
  OW,
  RM,
  ACCESS,
  UPDATE,
  INSERT,
  DELETE,
  /** Not a key, but routed like one: a shard channel. */
  NOT_KEY,
  /** The spec may miss some keys. */
  INCOMPLETE,
  /** The flags depend on the options given. */
  VARIABLE_FLAGS;

  /** The flag as COMMAND INFO spells it: {@code RW}, {@code access}. */
  public String label() {
    return name().length() == 2 ? name() : name().toLowerCase(Locale.ROOT);
  }
}
