/** Lua 5.1 for embedding: a compiler, a stackless interpreter and the values that they share. */
@NullMarked
package dev.kermes.lua;

import org.jspecify.annotations.NullMarked;
