package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/** A value that means something to the embedder only. Equal to nothing but itself. */
public final class LuaUserdata {

  /** The null pointer, which {@code cjson.null} is. */
  public static final LuaUserdata NULL = new LuaUserdata(null);

  private final @Nullable LuaTable metatable;

  public LuaUserdata(@Nullable LuaTable metatable) {
    this.metatable = metatable;
  }

  public @Nullable LuaTable metatable() {
    return metatable;
  }

  boolean isNull() {
    return this == NULL;
  }
}
