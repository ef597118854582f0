/** The server as a whole: FLUSHALL, SWAPDB, SHUTDOWN, COMMAND, MODULE. */
@NullMarked
package dev.kermes.server.command.server;

import org.jspecify.annotations.NullMarked;
