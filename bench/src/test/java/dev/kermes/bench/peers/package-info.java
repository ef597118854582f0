@NullMarked
package dev.kermes.bench.peers;

import org.jspecify.annotations.NullMarked;
