/** Parts of every benchmark: options, progress, the report and its figures. */
@NullMarked
package dev.kermes.bench.harness;

import org.jspecify.annotations.NullMarked;
