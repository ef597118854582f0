/**
 * Requests before they are sent: encoded bytes, the properties that decide how to send them, and
 * the keys and slots found in them. Knows nothing of connections and futures.
 */
@NullMarked
package dev.kermes.client.internal.command;

import org.jspecify.annotations.NullMarked;
