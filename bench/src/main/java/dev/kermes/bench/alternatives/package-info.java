/** Rejected designs, runnable. */
@NullMarked
package dev.kermes.bench.alternatives;

import org.jspecify.annotations.NullMarked;
