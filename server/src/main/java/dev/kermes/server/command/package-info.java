/**
 * The parts that all commands share: the {@code Call} that a handler sees, its arguments and common
 * shapes of replies.
 *
 * <p>Each family of commands has a package below this one. Families use this package and, without
 * cycles, each other; {@code dev.kermes.server.execution} calls them.
 */
@NullMarked
package dev.kermes.server.command;

import org.jspecify.annotations.NullMarked;
