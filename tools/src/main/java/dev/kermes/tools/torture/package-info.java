/**
 * The subcommand {@code torture}: kills servers and compares the surviving data, or floods them
 * with hostile clients.
 */
@NullMarked
package dev.kermes.tools.torture;

import org.jspecify.annotations.NullMarked;
