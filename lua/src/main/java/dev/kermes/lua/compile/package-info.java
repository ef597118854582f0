/** Source text to bytecode. */
@NullMarked
package dev.kermes.lua.compile;

import org.jspecify.annotations.NullMarked;
