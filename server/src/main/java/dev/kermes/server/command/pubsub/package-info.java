/** Publishing and subscribing. */
@NullMarked
package dev.kermes.server.command.pubsub;

import org.jspecify.annotations.NullMarked;
