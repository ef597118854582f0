package dev.kermes.server.stats;

/**
 * The three logs of COMMANDLOG; the first one is SLOWLOG.
 *
 * @param slow commands that took long
 * @param largeRequests commands with long arguments
 * @param largeReplies commands with a long reply
 */
public record SlowLogs(SlowLog slow, SlowLog largeRequests, SlowLog largeReplies) {

  /** Empty logs. */
  public SlowLogs() {
    this(new SlowLog(), new SlowLog(), new SlowLog());
  }
}
