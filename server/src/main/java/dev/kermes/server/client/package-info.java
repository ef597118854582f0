/**
 * Clients as the server sees them: their sessions, subscriptions, watched keys and caches, and the
 * keys that they are blocked on.
 */
@NullMarked
package dev.kermes.server.client;

import org.jspecify.annotations.NullMarked;
