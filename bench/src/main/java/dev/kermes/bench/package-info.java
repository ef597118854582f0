/** The program {@code ./kermes bench}: the list of benchmarks, and the results of a run. */
@NullMarked
package dev.kermes.bench;

import org.jspecify.annotations.NullMarked;
