/** Strings as bitmaps: SETBIT, BITOP, BITFIELD. */
@NullMarked
package dev.kermes.server.command.bitmap;

import org.jspecify.annotations.NullMarked;
