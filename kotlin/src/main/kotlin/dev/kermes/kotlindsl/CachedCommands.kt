package dev.kermes.kotlindsl

import dev.kermes.client.Codec
import dev.kermes.client.Commands
import dev.kermes.client.ReadCache

/**
 * The commands, whose replies are remembered until the server says that a key has changed.
 *
 * @property underlying the cache, which knows how often it was hit
 */
public class CachedCommands(public val underlying: ReadCache) :
  SuspendingCommands<String, String>(Commands(Codec.utf8(), Codec.utf8()), underlying), AutoCloseable {

  /** Forgets everything and closes its connections; the client stays open. */
  override fun close() {
    underlying.close()
  }
}
