package dev.kermes.client;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Is told of every command that is sent through a client, for metrics, traces and logs; see {@link
 * RedisOptions#observer}. Neither method may block or throw. A client without an observer pays
 * nothing for it.
 *
 * <p>Not told of: commands that never reach a server because a {@link ReadCache} answers or their
 * callers cancel them first, subscriptions, and what is sent on a {@link DedicatedConnection}.
 */
@FunctionalInterface
public interface CommandObserver {
  /** Takes the end of one command. */
  @FunctionalInterface
  interface Observation {
    /**
     * The command has ended. Called once, on the event loop or on the thread that ended it; for a
     * single command before anybody sees the result.
     *
     * @param node the server that it was sent to last, or null when it was sent to none or several
     * @param failure what it failed with, or null
     */
    void onEnd(@Nullable SocketAddress node, @Nullable RedisException failure);
  }

  /**
   * A command is about to be sent. On the caller's thread.
   *
   * @param command its first word in upper case, {@code BATCH} or {@code TRANSACTION}
   */
  Observation onStart(String command);
}
