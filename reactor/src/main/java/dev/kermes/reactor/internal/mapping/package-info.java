/** From methods of objects to handlers: annotations, arguments, suspending functions. */
@NullMarked
package dev.kermes.reactor.internal.mapping;

import org.jspecify.annotations.NullMarked;
