package dev.kermes.server.script;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The flags that a script or function declares. */
public enum ScriptFlag {
  NO_WRITES,
  ALLOW_OOM,
  ALLOW_STALE,
  NO_CLUSTER,
  ALLOW_CROSS_SLOT_KEYS;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The flag as scripts spell it: {@code no-writes}. */
  public String label() {
    return label;
  }

  static @Nullable ScriptFlag labelled(String label) {
    for (ScriptFlag flag : values()) if (flag.label.equals(label)) return flag;
    return null;
  }
}
