/** SENTINEL, which only the sentinels of the test kit have. */
@NullMarked
package dev.kermes.server.command.sentinel;

import org.jspecify.annotations.NullMarked;
