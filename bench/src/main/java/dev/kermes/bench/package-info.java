/** Benchmarks: servers and clients side by side. */
@NullMarked
package dev.kermes.bench;

import org.jspecify.annotations.NullMarked;
