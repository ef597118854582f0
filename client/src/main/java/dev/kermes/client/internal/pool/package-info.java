/** Connections that serve one borrower at a time. Owned by the event loop of its client. */
@NullMarked
package dev.kermes.client.internal.pool;

import org.jspecify.annotations.NullMarked;
