/** Sorted sets: scores, ranges, popping, unions and intersections. */
@NullMarked
package dev.kermes.server.command.sortedset;

import org.jspecify.annotations.NullMarked;
