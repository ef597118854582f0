/** Benchmarks of memory, allocation and the time to start. */
@NullMarked
package dev.kermes.bench.footprint;

import org.jspecify.annotations.NullMarked;
