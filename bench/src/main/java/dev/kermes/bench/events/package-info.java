/** Benchmarks of durable events. */
@NullMarked
package dev.kermes.bench.events;

import org.jspecify.annotations.NullMarked;
