@NullMarked
package dev.kermes.bench;

import org.jspecify.annotations.NullMarked;
