/** Benchmarks of HTTP servers. */
@NullMarked
package dev.kermes.bench.http;

import org.jspecify.annotations.NullMarked;
