package dev.kermes.groovydsl;

import dev.kermes.client.Commands;
import dev.kermes.client.ReadCache;

/** The commands, whose replies are remembered until the server says that a key has changed. */
public final class CachedCommands<K, V> extends BlockingCommands<K, V> implements AutoCloseable {
  private final ReadCache cache;

  CachedCommands(Commands<K, V> commands, ReadCache cache) {
    super(commands, cache);
    this.cache = cache;
  }

  /** The cache of Java, which knows how often it was hit. */
  public ReadCache underlying() {
    return cache;
  }

  /** Forgets everything and closes its connections; the client stays open. */
  @Override
  public void close() {
    cache.close();
  }
}
