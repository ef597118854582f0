package dev.kermes.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Since when a connection has been doing what it does, to the quarter of a second: times are those
 * of the loop's last round, so that noting one costs nothing. Owned by the event loop.
 */
final class ConnectionTimeouts {

  /** The rounds of one event loop. */
  static final class Ticker implements Runnable {
    static final long MILLIS = 250;

    private final Set<ConnectionTimeouts> clocks = new LinkedHashSet<>();
    private long nanos = System.nanoTime();

    int connections() {
      return clocks.size();
    }

    @Override
    public void run() {
      nanos = System.nanoTime();
      for (ConnectionTimeouts timeouts : Set.copyOf(clocks)) {
        if (timeouts.connection != null) timeouts.connection.checkTimes();
      }
    }
  }

  private final Ticker ticker;
  private @Nullable TimedConnection connection;
  private boolean hasPart;
  private long since;
  private long outputSince;
  private @Nullable Object firstBefore;
  private long progressBefore;
  private long pendingBefore;

  ConnectionTimeouts(Ticker ticker) {
    this.ticker = ticker;
    since = ticker.nanos;
  }

  /** That of a stream of this connection. */
  ConnectionTimeouts ofStream() {
    return new ConnectionTimeouts(ticker);
  }

  @Nullable TimedConnection connection() {
    return connection;
  }

  /** From now on {@code owner} is told to check its times. */
  void opened(TimedConnection owner) {
    connection = owner;
    ticker.clocks.add(this);
    hasPart = true; // until its first request it has the time that a head has
  }

  void closed() {
    ticker.clocks.remove(this);
  }

  /** Bytes came; whether they begin a request is not known yet. */
  void recordInput(boolean isBetweenRequests) {
    if (!isBetweenRequests || hasPart) return;
    hasPart = true;
    since = ticker.nanos;
  }

  void recordRequestStart() {
    hasPart = false;
    since = ticker.nanos;
  }

  void recordBodyProgress() {
    since = ticker.nanos;
  }

  void recordRequestEnd() {
    since = ticker.nanos;
  }

  private boolean isOver(Duration limit) {
    return ticker.nanos - since > limit.toNanos();
  }

  boolean isHeadLate(HttpLimits limits) {
    return hasPart && isOver(limits.headerTime());
  }

  boolean isIdleTooLong(HttpLimits limits) {
    return !hasPart && isOver(limits.idleTime());
  }

  /** A body that we do not read is not late. */
  boolean isBodyLate(HttpLimits limits, Channel channel) {
    return channel.config().isAutoRead() && isOver(limits.bodyTime());
  }

  boolean isAnswerLate(HttpLimits limits) {
    return isOver(limits.answerTime());
  }

  /**
   * Whether the client has taken nothing of its output for too long. Only what leaves counts: the
   * first message that waits, or how much of it has been written, has to change.
   */
  boolean detectOutputStall(Channel channel, HttpLimits limits) {
    ChannelOutboundBuffer output = channel.unsafe().outboundBuffer();
    Object first = output == null ? null : output.current();
    long progress = output == null ? 0 : output.currentProgress();
    long pending = output == null ? 0 : output.totalPendingWriteBytes() - progress;
    boolean hasMoved =
        first == null
            || first != firstBefore
            || progress != progressBefore
            || pending < pendingBefore;
    firstBefore = first;
    progressBefore = progress;
    pendingBefore = pending;
    if (hasMoved) outputSince = ticker.nanos;
    return !hasMoved && hasStalledSince(outputSince, limits);
  }

  /** The same of a stream, by how much of it is waiting and how much has left in all. */
  boolean detectStreamStall(long pending, long left, HttpLimits limits) {
    boolean hasMoved = pending == 0 || left != progressBefore;
    progressBefore = left;
    if (hasMoved) outputSince = ticker.nanos;
    return !hasMoved && hasStalledSince(outputSince, limits);
  }

  private boolean hasStalledSince(long start, HttpLimits limits) {
    return ticker.nanos - start > limits.writeTime().toNanos();
  }
}
