package dev.kermes.server.script;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A function of a library.
 *
 * @param callback a Lua function or one of ours
 */
public record LibraryFunction(
    String name, @Nullable String description, Object callback, Set<ScriptFlag> flags) {}
