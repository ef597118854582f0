package dev.kermes.client.internal.connection;

import dev.kermes.client.internal.pending.PendingQueue;

/**
 * Detects a peer that owes a reply and is silent. Owned by the event loop.
 *
 * <p>Silence counts only while a reply is due that the server has no reason to delay. A command
 * with a timeout of its own that is longer than the allowed silence may keep the server busy; then
 * its own deadline decides, and the kernel checks the server's host by keep-alive probes.
 */
final class PeerHealth {
  private final long silenceNanosMax;
  private boolean hasRead;
  private long quietSinceNanos;

  /** {@code silenceNanosMax} may be Long.MAX_VALUE for no limit. */
  PeerHealth(long silenceNanosMax) {
    this.silenceNanosMax = silenceNanosMax;
  }

  /** Notes that bytes have arrived. */
  void onRead() {
    hasRead = true;
  }

  /** Starts counting the silence at {@code now}. */
  void start(long now) {
    hasRead = false;
    quietSinceNanos = now;
  }

  /**
   * Whether the peer has been silent for too long.
   *
   * @param isReplyDue whether the connection is ready and a reply is due
   */
  boolean checkSilence(long now, boolean isReplyDue, PendingQueue queue) {
    if (hasRead || !isReplyDue) {
      start(now);
      return false;
    }
    return silenceNanosMax != Long.MAX_VALUE
        && now - quietSinceNanos > silenceNanosMax
        && !hasLongRunningCommand(queue);
  }

  /** Whether a command is in flight that may keep the server busy for longer than the silence. */
  boolean hasLongRunningCommand(PendingQueue queue) {
    return queue.hasLongRunningCommand(silenceNanosMax);
  }

  /** Returns whether bytes have arrived since the last call; for connections without a queue. */
  boolean getAndClearHasRead() {
    boolean had = hasRead;
    hasRead = false;
    return had;
  }
}
