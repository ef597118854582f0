/** Positions on Earth, stored as the scores of sorted sets. */
@NullMarked
package dev.kermes.server.command.geo;

import org.jspecify.annotations.NullMarked;
