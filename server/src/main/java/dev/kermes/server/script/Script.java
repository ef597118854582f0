package dev.kermes.server.script;

import dev.kermes.lua.LuaClosure;
import java.util.Set;

/** A script that the server knows. */
public final class Script {

  /** The approximate bytes of a script's entry besides its text. */
  private static final int OBJECT_BYTES = 300;

  private final String sha1;
  private final byte[] text;
  private final LuaClosure function;
  private final Set<ScriptFlag> flags;
  private final boolean hasShebang;
  private boolean isEvictable;

  Script(
      String sha1, byte[] text, LuaClosure function, Set<ScriptFlag> flags, boolean isEvictable) {
    this.sha1 = sha1;
    this.text = text;
    this.function = function;
    this.flags = flags;
    this.hasShebang = Shebang.isIn(text);
    this.isEvictable = isEvictable;
  }

  public String sha1() {
    return sha1;
  }

  public byte[] text() {
    return text;
  }

  LuaClosure function() {
    return function;
  }

  public Set<ScriptFlag> flags() {
    return flags;
  }

  /** Whether the script declares its flags; any other may do anything and is checked per call. */
  public boolean hasShebang() {
    return hasShebang;
  }

  /** Whether the script may be dropped when there are too many, since it came with EVAL only. */
  boolean isEvictable() {
    return isEvictable;
  }

  void keep() {
    isEvictable = false;
  }

  long bytes() {
    return OBJECT_BYTES + 2L * text.length;
  }
}
