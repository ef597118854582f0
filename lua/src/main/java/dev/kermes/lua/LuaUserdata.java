package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/** A value with a meaning only for the embedder. Equal only to itself. */
public final class LuaUserdata {

  /** The null pointer, used as {@code cjson.null}. */
  public static final LuaUserdata NULL = new LuaUserdata(null);

  private final @Nullable LuaTable metatable;

  /** Creates a value with that metatable. */
  public LuaUserdata(@Nullable LuaTable metatable) {
    this.metatable = metatable;
  }

  /** Its metatable, or null. */
  public @Nullable LuaTable metatable() {
    return metatable;
  }

  boolean isNull() {
    return this == NULL;
  }
}
