/** Parts that know nothing of topics and their keys. */
@NullMarked
package dev.kermes.events.internal;

import org.jspecify.annotations.NullMarked;
