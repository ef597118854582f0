package dev.kermes.server.acl;

import dev.kermes.server.data.pattern.Glob;
import java.nio.charset.StandardCharsets;

/**
 * A pattern of keys that a {@link Selector} lets a command read, write, or both. Immutable.
 *
 * @param text the pattern, a character per byte
 */
record KeyPattern(String text, Glob glob, boolean reads, boolean writes) {

  static KeyPattern of(String text, boolean reads, boolean writes) {
    Glob glob = new Glob(text.getBytes(StandardCharsets.ISO_8859_1));
    return new KeyPattern(text, glob, reads, writes);
  }

  KeyPattern and(KeyPattern other) {
    return new KeyPattern(text, glob, reads || other.reads, writes || other.writes);
  }

  boolean allows(boolean wantsRead, boolean wantsWrite) {
    return (reads || !wantsRead) && (writes || !wantsWrite);
  }

  /** The rule for this pattern: {@code ~pattern}, {@code %R~pattern} or {@code %W~pattern}. */
  @Override
  public String toString() {
    if (reads && writes) return "~" + text;
    return (reads ? "%R~" : "%W~") + text;
  }
}
