/** Strings, and the options of SET, INCREX and their like. */
@NullMarked
package dev.kermes.server.command.string;

import org.jspecify.annotations.NullMarked;
