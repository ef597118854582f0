/** In-process events: patterns of keys, handlers, order and delivery. */
@NullMarked
package dev.kermes.reactor;

import org.jspecify.annotations.NullMarked;
