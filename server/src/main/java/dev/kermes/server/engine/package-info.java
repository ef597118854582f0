/**
 * The state of the server: databases, sessions, subscriptions, blocked clients, configuration. All
 * of it is guarded by the {@link dev.kermes.server.engine.KeyspaceLock}.
 */
@NullMarked
package dev.kermes.server.engine;

import org.jspecify.annotations.NullMarked;
