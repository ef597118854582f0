/** Benchmarks of whole servers under load. */
@NullMarked
package dev.kermes.bench.throughput;

import org.jspecify.annotations.NullMarked;
