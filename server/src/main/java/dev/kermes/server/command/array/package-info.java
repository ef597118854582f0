/** Arrays: elements by index, aggregates, searches. */
@NullMarked
package dev.kermes.server.command.array;

import org.jspecify.annotations.NullMarked;
