package dev.kermes.commands;

import java.util.Locale;

/** A property of a command that the server acts on or reports in COMMAND INFO. */
public enum CommandFlag {
  WRITE,
  READONLY,
  DENYOOM,
  MODULE,
  ADMIN,
  PUBSUB,
  NOSCRIPT,
  BLOCKING,
  LOADING,
  STALE,
  SKIP_MONITOR,
  SKIP_SLOWLOG,
  ASKING,
  FAST,
  NO_AUTH,
  MAY_REPLICATE,
  NO_MANDATORY_KEYS,
  PROTECTED,
  NO_ASYNC_LOADING,
  NO_MULTI,
  /** Computed from the key specs: the keys are not all at fixed positions. */
  MOVABLEKEYS,
  ALLOW_BUSY,
  TOUCHES_ARBITRARY_KEYS;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** The flag as COMMAND INFO spells it: {@code denyoom}. */
  public String label() {
    return label;
  }

  /** The bit of the flag in a set of flags that is an int. */
  @SuppressWarnings("EnumOrdinal") // never stored, only used within the process
  int bit() {
    return 1 << ordinal();
  }

  /** Returns whether COMMAND INFO reports the flag; the others control only the server. */
  public boolean isPublic() {
    return this != MAY_REPLICATE && this != PROTECTED && this != TOUCHES_ARBITRARY_KEYS;
  }
}
