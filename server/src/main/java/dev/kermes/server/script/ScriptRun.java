package dev.kermes.server.script;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A call of a script or function: its permissions and its progress. */
public final class ScriptRun {

  /** {@code REPL_AOF}, 1, and {@code REPL_REPLICA}, 2. */
  static final int ALL_READERS = 3;

  private final Machine machine;
  private final String name;
  private final Object function;
  private final boolean isFunction;
  private final boolean isReadOnly;
  private final boolean mayRunOutOfMemory;
  private final boolean mayCrossSlots;

  private int protocol = 2;
  private int audience = ALL_READERS;
  private boolean hasWritten;

  /** The hash slot of its keys in a cluster; -1 if none is known. */
  private int slot = -1;

  ScriptRun(
      Machine machine,
      String name,
      Object function,
      boolean isFunction,
      boolean isReadOnly,
      Set<ScriptFlag> flags) {
    this.machine = machine;
    this.name = name;
    this.function = function;
    this.isFunction = isFunction;
    this.isReadOnly = isReadOnly || flags.contains(ScriptFlag.NO_WRITES);
    mayRunOutOfMemory = flags.contains(ScriptFlag.ALLOW_OOM);
    mayCrossSlots = flags.contains(ScriptFlag.ALLOW_CROSS_SLOT_KEYS);
  }

  Machine machine() {
    return machine;
  }

  /** The Lua function or one of ours. */
  Object function() {
    return function;
  }

  /** The digest of a script or the name of a function. */
  public String name() {
    return name;
  }

  /** Whether FCALL began the run, as opposed to EVAL. */
  public boolean isFunction() {
    return isFunction;
  }

  public boolean isReadOnly() {
    return isReadOnly;
  }

  /** Whether the run may exceed maxmemory. */
  public boolean mayRunOutOfMemory() {
    return mayRunOutOfMemory;
  }

  /** Whether it may use keys of several hash slots of one node. */
  public boolean mayCrossSlots() {
    return mayCrossSlots;
  }

  /** The hash slot of its keys in a cluster; -1 if none is known. */
  public int slot() {
    return slot;
  }

  public void slot(int ofKeys) {
    slot = ofKeys;
  }

  /** The version of RESP in which it receives replies. */
  public int protocol() {
    return protocol;
  }

  void protocol(int version) {
    protocol = version;
  }

  /** The readers of the write log that see its writes: 1 for files, 2 for replicas. */
  public int audience() {
    return audience;
  }

  void audience(int readers) {
    audience = readers;
  }

  /** Whether it has called a command that writes; from then on it may not be killed. */
  public boolean hasWritten() {
    return hasWritten;
  }

  public void wrote() {
    hasWritten = true;
  }

  /** The error for other clients while this script runs too long. */
  public String busyError() {
    return "BUSY Redis is busy running a script. You can only call "
        + (isFunction ? "FUNCTION" : "SCRIPT")
        + " KILL or SHUTDOWN NOSAVE.";
  }

  /** Ends the run soon, on behalf of a client. */
  public void kill() {
    String command = isFunction ? "FUNCTION" : "SCRIPT";
    machine.state().stop("Script killed by user with " + command + " KILL.");
  }

  /** Ends the run soon, since the server ends. Any thread. */
  void stop() {
    machine.state().stop("The server is shutting down.");
  }

  // The end

  /** The returned value; null for nil. */
  public @Nullable Object result() {
    return machine.state().execution().result(1);
  }

  /** The failure, null if there is none. */
  public @Nullable ScriptFailure failure() {
    return ScriptFailure.of(machine.state().execution());
  }
}
