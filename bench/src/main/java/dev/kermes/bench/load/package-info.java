/** A load generator for Redis servers, and the loads that run beside it. */
@NullMarked
package dev.kermes.bench.load;

import org.jspecify.annotations.NullMarked;
