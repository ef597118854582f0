package dev.kermes.client;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Receives a notification of every command sent through a client, for metrics, traces and logs; see
 * {@link RedisOptions#observer}. Neither method may block or throw. Without an observer there is no
 * cost.
 *
 * <p>Not reported: subscriptions, and reads sent through a {@link ReadCache} that its own
 * connections or its memory answer.
 */
@FunctionalInterface
public interface CommandObserver {
  /** Receives the end of one command. */
  @FunctionalInterface
  interface Observation {
    /**
     * Called once when the command has ended, on the event loop or on the thread that ended it; for
     * a single command before the caller sees the result.
     *
     * @param node the server that it was last sent to, or null if it was sent to none or several
     * @param failure the failure, or null
     */
    void onEnd(@Nullable SocketAddress node, @Nullable RedisException failure);
  }

  /**
   * Called on the caller's thread before a command is sent.
   *
   * @param command the command's first word in upper case, {@code BATCH} or {@code TRANSACTION}
   */
  Observation onStart(String command);
}
