/** Benchmarks of saving, loading and the append only file. */
@NullMarked
package dev.kermes.bench.persistence;

import org.jspecify.annotations.NullMarked;
