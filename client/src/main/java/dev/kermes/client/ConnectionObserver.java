package dev.kermes.client;

import java.net.SocketAddress;

/**
 * Is told what becomes of the shared connections of a client, one per server; see {@link
 * RedisOptions#connectionObserver}. Called on the event loop: no method may block or throw.
 */
public interface ConnectionObserver {
  /** A connection stands, for the first time or again: commands go over it. */
  default void onConnected(SocketAddress node) {}

  /** A connection that stood is gone; the client connects again by itself. */
  default void onLost(SocketAddress node, RedisException cause) {}

  /**
   * A connection could not be made; the client tries again.
   *
   * @param attempts in vain, since the last connection stood
   */
  default void onFailed(SocketAddress node, RedisException cause, int attempts) {}
}
