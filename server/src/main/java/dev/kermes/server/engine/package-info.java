/**
 * The parts of one server put together, and what concerns all of them: its end, threads that must
 * not end, and scripts that take too long. Knows neither the commands nor the sockets.
 */
@NullMarked
package dev.kermes.server.engine;

import org.jspecify.annotations.NullMarked;
