/** Facts about the running server: INFO, MEMORY, SLOWLOG, LATENCY, HOTKEYS, MONITOR. */
@NullMarked
package dev.kermes.server.command.info;

import org.jspecify.annotations.NullMarked;
