@NullMarked
package dev.kermes.bench.harness;

import org.jspecify.annotations.NullMarked;
