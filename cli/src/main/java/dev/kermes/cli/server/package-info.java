/** The subcommand {@code server}: configuration files, log, process id, shutdown. */
@NullMarked
package dev.kermes.cli.server;

import org.jspecify.annotations.NullMarked;
