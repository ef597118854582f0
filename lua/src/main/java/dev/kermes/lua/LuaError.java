package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/** An error of a script, with any value; {@code pcall} catches it. */
public final class LuaError extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient @Nullable Object value;
  private final boolean skipsHandlers;

  /**
   * @param value the argument of {@code error}; a {@link Double} for a number
   */
  public LuaError(@Nullable Object value) {
    this(value, false);
  }

  /** Creates an error whose value is a string. */
  public LuaError(String message) {
    this(LuaString.of(message), false);
  }

  private LuaError(@Nullable Object value, boolean skipsHandlers) {
    super(null, null, false, false);
    this.value = value;
    this.skipsHandlers = skipsHandlers;
  }

  static LuaError outOfMemory() {
    return new LuaError(LuaString.of("not enough memory"), true);
  }

  static LuaError inHandler() {
    return new LuaError(LuaString.of("error in error handling"), true);
  }

  /** The value that was thrown, often a string. */
  public @Nullable Object value() {
    return value;
  }

  /** Whether xpcall returns it unchanged. */
  boolean skipsHandlers() {
    return skipsHandlers;
  }

  @Override
  public String getMessage() {
    return LuaValues.toLuaString(value).toString();
  }
}
