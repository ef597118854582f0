/** Metrics of the reactor's handlers, by Micrometer. */
@NullMarked
package dev.kermes.reactor.micrometer;

import org.jspecify.annotations.NullMarked;
