/** {@code on}, {@code emit} and {@code call}: events, their patterns, order and delivery. */
@NullMarked
package dev.kermes.reactor;

import org.jspecify.annotations.NullMarked;
