/** The program behind {@code ./kermes}: the choice of the subcommand, and {@code check}. */
@NullMarked
package dev.kermes.cli;

import org.jspecify.annotations.NullMarked;
