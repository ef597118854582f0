/**
 * Commands on their way: nodes of a queue that end with a result or a failure, most of them as
 * futures. Any thread appends, waits and cancels; the event loop owns the rest.
 */
@NullMarked
package dev.kermes.client.internal.pending;

import org.jspecify.annotations.NullMarked;
