package dev.kermes.server.engine;

import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Restriction;
import dev.kermes.server.stats.HotKeys;
import org.jspecify.annotations.Nullable;

/** The running or last recording of HOTKEYS. Guarded by the keyspace lock. */
public final class HotKeysRecording {

  private final Keyspace keyspace;
  private @Nullable HotKeys last;

  HotKeysRecording(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  /** Stops the recording if its time is over, and returns it; null if there was none. */
  public @Nullable HotKeys poll() {
    if (last != null && last.endIfDue(keyspace.nowMillis())) noteChange();
    return last;
  }

  /** Begins a recording. */
  public void begin(HotKeys fresh) {
    last = fresh;
    noteChange();
  }

  /** Stops the recording; returns whether one was running. */
  public boolean stop() {
    HotKeys current = poll();
    if (current == null || !current.isActive()) return false;
    current.stop(keyspace.nowMillis());
    noteChange();
    return true;
  }

  /** Forgets the recording. */
  public void reset() {
    last = null;
    noteChange();
  }

  boolean isOn() {
    return last != null && last.isActive();
  }

  private void noteChange() {
    keyspace.restrictions().set(Restriction.HOT_KEYS, isOn());
  }
}
