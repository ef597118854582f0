/** Sets, their unions, intersections and differences. */
@NullMarked
package dev.kermes.server.command.set;

import org.jspecify.annotations.NullMarked;
