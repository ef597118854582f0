/** CONFIG, and the file that CONFIG REWRITE writes. */
@NullMarked
package dev.kermes.server.command.config;

import org.jspecify.annotations.NullMarked;
