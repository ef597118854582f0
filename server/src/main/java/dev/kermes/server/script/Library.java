package dev.kermes.server.script;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A library: its text, and the functions that it registered when it was loaded. */
public final class Library {

  /** The approximate bytes of a library or a function besides the text. */
  private static final int OBJECT_BYTES = 300;

  private final String name;
  private final byte[] code;
  private final Map<String, LibraryFunction> functions = new LinkedHashMap<>();

  Library(String name, byte[] code) {
    this.name = name;
    this.code = code;
  }

  public String name() {
    return name;
  }

  public byte[] code() {
    return code;
  }

  public Collection<LibraryFunction> functions() {
    return functions.values();
  }

  /** Adds a function; returns what is wrong with it, or null. */
  @Nullable String add(LibraryFunction function) {
    if (!isName(function.name())) return NAME_MISTAKE;
    return functions.putIfAbsent(function.name(), function) == null
        ? null
        : "Function already exists in the library";
  }

  static final String NAME_MISTAKE =
      "Library names can only contain letters, numbers, or underscores(_) and must be at least one"
          + " character long";

  static boolean isName(String name) {
    return name.matches("[a-zA-Z0-9_]+");
  }

  long bytes() {
    return OBJECT_BYTES * (1L + functions.size()) + code.length;
  }
}
