/**
 * What the server knows: databases, sessions, subscriptions, blocked clients, configuration. All of
 * it belongs to whoever holds the {@link dev.kermes.server.engine.KeyspaceLock}.
 */
@NullMarked
package dev.kermes.server.engine;

import org.jspecify.annotations.NullMarked;
