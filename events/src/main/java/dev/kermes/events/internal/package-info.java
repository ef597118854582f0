/** Parts of durable topics that know nothing of Redis. */
@NullMarked
package dev.kermes.events.internal;

import org.jspecify.annotations.NullMarked;
