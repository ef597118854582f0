/** Benchmarks of clients: our own in each of its languages, and those of others. */
@NullMarked
package dev.kermes.bench.client;

import org.jspecify.annotations.NullMarked;
