package dev.kermes.server.script;

import dev.kermes.lua.LuaClosure;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The libraries of FUNCTION LOAD, and their functions by name in any case. */
public final class Libraries {

  private static final LuaString SOURCE = LuaString.of("@user_function");
  private static final String NAME = "name=";

  private final Map<String, Library> libraries = new LinkedHashMap<>();
  private final Map<String, LibraryFunction> functions = new HashMap<>();
  private final LazyMachine machine;

  Libraries(LazyMachine machine) {
    this.machine = machine;
  }

  LazyMachine machine() {
    return machine;
  }

  public Collection<Library> all() {
    return libraries.values();
  }

  public @Nullable Library library(String name) {
    return libraries.get(name);
  }

  /** The function with a name in any case, null if there is none. */
  public @Nullable LibraryFunction function(String name) {
    LibraryFunction function = functions.get(name);
    return function != null ? function : functions.get(name.toLowerCase(Locale.ROOT));
  }

  public int functionCount() {
    return functions.size();
  }

  /** The approximate bytes of all libraries. */
  public long bytes() {
    long bytes = 0;
    for (Library library : libraries.values()) bytes += library.bytes();
    return bytes;
  }

  /**
   * Runs the text of a library, which registers its functions, and keeps the library.
   *
   * @param replaces whether to replace a library of the same name
   */
  public Library load(byte[] code, boolean replaces) throws ScriptException {
    Library library = new Library(nameOf(code), code);
    Library old = libraries.get(library.name());
    if (old != null && !replaces) {
      throw new ScriptException("ERR Library '" + library.name() + "' already exists");
    }
    machine.get().load(library, compile(code));
    if (library.functions().isEmpty()) throw new ScriptException("ERR No functions registered");
    for (LibraryFunction function : library.functions()) refuseIfTaken(function, old);
    if (old != null) delete(old);
    add(library);
    return library;
  }

  // Dumps

  /** The treatment of a library in a dump whose name exists. */
  public enum Policy {
    /** Delete all existing libraries. */
    FLUSH,
    /** Fail. */
    APPEND,
    /** Replace the existing library. */
    REPLACE
  }

  /** Serializes all libraries. */
  public byte[] dump() {
    return LibraryDump.of(libraries.values());
  }

  /** Loads the libraries of a dump: all of them, or none if one fails. */
  public void restore(byte[] dump, Policy policy) throws ScriptException {
    List<byte[]> texts = LibraryDump.texts(dump);
    List<Library> before = List.copyOf(libraries.values());
    try {
      if (policy == Policy.FLUSH) before.forEach(this::delete);
      for (byte[] text : texts) restore(text, policy == Policy.REPLACE);
    } catch (ScriptException e) {
      List.copyOf(libraries.values()).forEach(this::delete);
      before.forEach(this::add);
      throw e;
    }
  }

  private void restore(byte[] text, boolean replaces) throws ScriptException {
    String name = nameOf(text);
    if (!replaces && libraries.containsKey(name)) {
      throw new ScriptException("ERR Library " + name + " already exists");
    }
    Library unused = load(text, replaces);
  }

  private static String nameOf(byte[] code) throws ScriptException {
    if (!Shebang.isIn(code)) throw new ScriptException("ERR Missing library metadata");
    List<String> words = Shebang.words(code, "ERR Invalid library metadata");
    String name = null;
    for (String word : words.subList(1, words.size())) {
      if (!word.startsWith(NAME)) {
        throw new ScriptException("ERR Invalid metadata value given: " + word);
      }
      if (name != null) {
        throw new ScriptException(
            "ERR Invalid metadata value, name argument was given multiple times");
      }
      name = word.substring(NAME.length());
    }
    if (name == null) throw new ScriptException("ERR Library name was not given");
    if (!Library.isName(name)) throw new ScriptException("ERR " + Library.NAME_MISTAKE);
    if (!words.get(0).equalsIgnoreCase("lua")) {
      throw new ScriptException("ERR Engine '" + words.get(0) + "' not found");
    }
    return name;
  }

  private LuaClosure compile(byte[] code) throws ScriptException {
    try {
      return machine.get().state().compile(Shebang.without(code), SOURCE);
    } catch (LuaError e) {
      throw new ScriptException("ERR Error compiling function: ", e);
    }
  }

  private void refuseIfTaken(LibraryFunction function, @Nullable Library old)
      throws ScriptException {
    LibraryFunction other = functions.get(key(function));
    boolean isTaken = other != null && (old == null || !old.functions().contains(other));
    if (isTaken) throw new ScriptException("ERR Function " + function.name() + " already exists");
  }

  private static String key(LibraryFunction function) {
    return function.name().toLowerCase(Locale.ROOT);
  }

  private void add(Library library) {
    libraries.put(library.name(), library);
    for (LibraryFunction function : library.functions()) functions.put(key(function), function);
  }

  public void delete(Library library) {
    libraries.remove(library.name());
    for (LibraryFunction function : library.functions()) functions.remove(key(function));
  }

  /** Deletes all libraries and drops their Lua state. */
  void clear() {
    libraries.clear();
    functions.clear();
    machine.drop();
  }
}
