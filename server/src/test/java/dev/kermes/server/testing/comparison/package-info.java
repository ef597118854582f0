/** Comparisons of our server with the redis-server of the machine. */
@NullMarked
package dev.kermes.server.testing.comparison;

import org.jspecify.annotations.NullMarked;
