package dev.kermes.groovydsl;

import dev.kermes.client.Commands;
import dev.kermes.client.ReadCache;

/** The commands, whose replies are cached until the server reports that a key has changed. */
public final class CachedCommands<K, V> extends BlockingCommands<K, V> implements AutoCloseable {
  private final ReadCache cache;

  CachedCommands(Commands<K, V> commands, ReadCache cache) {
    super(commands, cache);
    this.cache = cache;
  }

  /** The Java cache, which counts its hits and misses. */
  public ReadCache underlying() {
    return cache;
  }

  /** Clears the cache and closes its connections; the client remains open. */
  @Override
  public void close() {
    cache.close();
  }
}
