/** Positions on the earth as sorted sets store them, and the search for positions in a shape. */
@NullMarked
package dev.kermes.server.data.geo;

import org.jspecify.annotations.NullMarked;
