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

  /** The flag's place in a set of flags that is held in an int. */
  @SuppressWarnings("EnumOrdinal") // lives as long as the process only
  int bit() {
    return 1 << ordinal();
  }

  /** Whether COMMAND INFO tells clients about the flag; the others steer the server only. */
  public boolean isPublic() {
    return this != MAY_REPLICATE && this != PROTECTED && this != TOUCHES_ARBITRARY_KEYS;
  }
}
