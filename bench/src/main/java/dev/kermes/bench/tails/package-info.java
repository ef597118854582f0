/** How long the slowest replies take with a large data set, and what memory it takes. */
@NullMarked
package dev.kermes.bench.tails;

import org.jspecify.annotations.NullMarked;
