/** Benchmarks of the reactor. */
@NullMarked
package dev.kermes.bench.reactor;

import org.jspecify.annotations.NullMarked;
