/** The subcommand {@code cli}, which has the options, the shell and the tools of redis-cli. */
@NullMarked
package dev.kermes.cli.rediscli;

import org.jspecify.annotations.NullMarked;
