/** The standard libraries of Lua 5.1 and those that Redis adds; each is opened separately. */
@NullMarked
package dev.kermes.lua.lib;

import org.jspecify.annotations.NullMarked;
