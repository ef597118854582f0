package dev.kermes.server.script;

import dev.kermes.lua.LuaClosure;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import dev.kermes.server.data.Slice;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of EVAL and SCRIPT LOAD by their SHA1 digests. When more than 500 of them came with
 * EVAL, the least recently used of these is dropped.
 */
public final class ScriptCache {

  private static final int EVICTABLE_MAX = 500;
  private static final LuaString NAME = LuaString.of("@user_script");

  private final Sha1 sha1 = new Sha1();
  private final Map<String, Script> scripts = new HashMap<>();
  private final Map<String, Script> evictable = new LinkedHashMap<>(16, 0.75f, true);
  private final LazyMachine machine;
  private @Nullable Script last;
  private long bytes;
  private long evictedCount;

  ScriptCache(LazyMachine machine) {
    this.machine = machine;
  }

  LazyMachine machine() {
    return machine;
  }

  /** Whether the last requested script has this text, so that no digest needs to be computed. */
  private boolean isLast(Slice text) {
    Script script = last;
    return script != null && text.equals(script.text(), 0, script.text().length);
  }

  /** The script with that text, compiled if it is new. */
  public Script forEval(Slice text) throws ScriptException {
    Script script = last;
    if (script == null || !isLast(text)) script = load(text.copy(), true);
    used(script);
    return script;
  }

  /** Compiles a script unless it is known; it stays until SCRIPT FLUSH. */
  public Script load(byte[] text) throws ScriptException {
    Script script = load(text, false);
    script.keep();
    evictable.remove(script.sha1());
    return script;
  }

  private Script load(byte[] text, boolean isEvictable) throws ScriptException {
    String digest = sha1.of(text);
    Script known = scripts.get(digest);
    return known != null ? known : add(compile(digest, text, isEvictable));
  }

  private Script compile(String digest, byte[] text, boolean isEvictable) throws ScriptException {
    Set<ScriptFlag> flags = EnumSet.of(ScriptFlag.ALLOW_CROSS_SLOT_KEYS); // if it has no shebang
    byte[] source = text;
    if (Shebang.isIn(text)) {
      flags = Shebang.flags(text);
      source = Shebang.without(text);
    }
    try {
      LuaClosure function = machine.get().state().compile(source, NAME);
      return new Script(digest, text, function, flags, isEvictable);
    } catch (LuaError e) {
      throw new ScriptException("ERR Error compiling script (new function): ", e);
    }
  }

  private Script add(Script script) {
    scripts.put(script.sha1(), script);
    bytes += script.bytes();
    if (script.isEvictable()) {
      evictable.put(script.sha1(), script);
      if (evictable.size() > EVICTABLE_MAX) evict();
    }
    return script;
  }

  private void evict() {
    Iterator<Script> oldestFirst = evictable.values().iterator();
    Script oldest = oldestFirst.next();
    oldestFirst.remove();
    scripts.remove(oldest.sha1());
    bytes -= oldest.bytes();
    evictedCount++;
    if (last == oldest) last = null;
  }

  private void used(Script script) {
    if (script == last) return;
    last = script;
    if (script.isEvictable()) evictable.get(script.sha1());
  }

  /** The script with a digest in any case, null if there is none. */
  public @Nullable Script find(String digest) {
    Script script = last;
    if (script == null || !script.sha1().equals(digest)) {
      script = scripts.get(digest.toLowerCase(Locale.ROOT));
      if (script != null) used(script);
    }
    return script;
  }

  /** Whether there is a script with a digest in any case. */
  public boolean contains(String digest) {
    return scripts.containsKey(digest.toLowerCase(Locale.ROOT));
  }

  /** Deletes all scripts and drops their Lua state. */
  void clear() {
    scripts.clear();
    evictable.clear();
    last = null;
    bytes = 0;
    machine.drop();
  }

  public int size() {
    return scripts.size();
  }

  /** The approximate bytes of the scripts. */
  public long bytes() {
    return bytes;
  }

  public long evictedCount() {
    return evictedCount;
  }
}
