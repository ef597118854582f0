/** The program behind {@code ./kermes}: the choice of the subcommand, and the small subcommands. */
@NullMarked
package dev.kermes.cli;

import org.jspecify.annotations.NullMarked;
