package dev.kermes.commands;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A property of a command that server or clients act on, or that COMMAND INFO reports. */
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
  TOUCHES_ARBITRARY_KEYS,
  /** Takes a time bounded by its length, like a fast command; only COMMAND INFO does not say so. */
  BRIEF,
  /** Runs at once after MULTI, instead of waiting for EXEC. */
  UNQUEUED,
  /** A subscriber may send it even in RESP2. */
  SUBSCRIBER,
  /** Is answered by messages, also after CLIENT REPLY OFF. */
  MESSAGES,
  /** Changes the state of its connection, so that clients may not share that connection. */
  STATEFUL,
  /** Has no reply, or several; a client that expects one for each command cannot send it. */
  UNANSWERED;

  private static final Set<CommandFlag> INTERNAL =
      EnumSet.of(
          MAY_REPLICATE,
          PROTECTED,
          TOUCHES_ARBITRARY_KEYS,
          BRIEF,
          UNQUEUED,
          SUBSCRIBER,
          MESSAGES,
          STATEFUL,
          UNANSWERED);

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

  /** Whether COMMAND INFO reports the flag; the others are for our server and clients only. */
  public boolean isPublic() {
    return !INTERNAL.contains(this);
  }
}
