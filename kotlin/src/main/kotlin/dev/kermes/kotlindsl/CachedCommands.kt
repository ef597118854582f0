package dev.kermes.kotlindsl

import dev.kermes.client.Codec
import dev.kermes.client.Commands
import dev.kermes.client.ReadCache

/**
 * The commands, whose replies are cached until the server reports that a key has changed.
 *
 * @property underlying the cache, which counts its hits and misses
 */
public class CachedCommands(public val underlying: ReadCache) :
  SuspendingCommands<String, String>(Commands(Codec.utf8(), Codec.utf8()), underlying),
  AutoCloseable {

  /** Clears the cache and closes its connections; the client remains open. */
  override fun close() {
    underlying.close()
  }
}
