package dev.kermes.client;

import java.net.SocketAddress;

/**
 * Receives the events of a client's shared connections, one connection per server; see {@link
 * RedisOptions#connectionObserver}. Called on the event loop: no method may block or throw.
 */
public interface ConnectionObserver {
  /** A connection is ready, for the first time or again; commands are sent on it. */
  default void onConnected(SocketAddress node) {}

  /** A connection that was ready is lost; the client reconnects automatically. */
  default void onLost(SocketAddress node, RedisException cause) {}

  /**
   * An attempt to connect failed; the client tries again.
   *
   * @param attempts the number of failed attempts since the last connection was ready
   */
  default void onFailed(SocketAddress node, RedisException cause, int attempts) {}
}
