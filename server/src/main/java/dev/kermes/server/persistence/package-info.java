/**
 * The RDB file and the append only file: when they are written and loaded, and the snapshots that
 * are written while commands continue.
 */
@NullMarked
package dev.kermes.server.persistence;

import org.jspecify.annotations.NullMarked;
