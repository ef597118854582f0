/** MULTI, EXEC, WATCH. */
@NullMarked
package dev.kermes.server.command.transaction;

import org.jspecify.annotations.NullMarked;
