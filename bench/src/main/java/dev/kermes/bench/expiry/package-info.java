/** Benchmarks of keys that expire. */
@NullMarked
package dev.kermes.bench.expiry;

import org.jspecify.annotations.NullMarked;
