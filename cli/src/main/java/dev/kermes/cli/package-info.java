/** The program behind {@code ./kermes}. */
@NullMarked
package dev.kermes.cli;

import org.jspecify.annotations.NullMarked;
