package dev.kermes.server.client;

import dev.kermes.server.config.OutputLimits;

/**
 * Decides when a client has more unread output than client-output-buffer-limit allows: at once
 * beyond the hard limit, and after some seconds beyond the soft one. There is one for each
 * connection, owned by its event loop, and one for the stream of each replica, guarded by the
 * keyspace lock.
 */
public final class UnreadOutput {

  private static final long NEVER = Long.MAX_VALUE;

  private long overSoftSinceMillis = NEVER;

  /** Notes the present amount; returns whether the client must be closed. */
  public boolean note(OutputLimits.Limit limit, long bytes, long nowMillis) {
    if (limit.isOverHard(bytes)) return true;
    if (!limit.isOverSoft(bytes)) {
      overSoftSinceMillis = NEVER;
      return false;
    }
    overSoftSinceMillis = Math.min(overSoftSinceMillis, nowMillis);
    return nowMillis - overSoftSinceMillis > limit.softSeconds() * 1000;
  }
}
