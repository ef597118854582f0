@NullMarked
package dev.kermes.bench.load;

import org.jspecify.annotations.NullMarked;
