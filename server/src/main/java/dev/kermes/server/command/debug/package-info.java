/** DEBUG: tools for tests. */
@NullMarked
package dev.kermes.server.command.debug;

import org.jspecify.annotations.NullMarked;
