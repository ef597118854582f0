/** The subcommands of {@code ./kermes} that need more than the server and the command line. */
@NullMarked
package dev.kermes.tools;

import org.jspecify.annotations.NullMarked;
