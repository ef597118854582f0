/** The commands, one class per family, and the {@code Call} that each of them sees. */
@NullMarked
package dev.kermes.server.command;

import org.jspecify.annotations.NullMarked;
