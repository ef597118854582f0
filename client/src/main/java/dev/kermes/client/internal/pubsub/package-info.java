/**
 * Subscriptions: which connection requests which channel, and the buffers of events that readers
 * have not taken yet.
 */
@NullMarked
package dev.kermes.client.internal.pubsub;

import org.jspecify.annotations.NullMarked;
