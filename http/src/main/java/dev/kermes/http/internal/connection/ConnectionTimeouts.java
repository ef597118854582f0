package dev.kermes.http.internal.connection;

import dev.kermes.http.HttpLimits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts of a connection or stream. It records when the connection entered its current phase
 * (head, body, response, idle), to a quarter of a second: the time is read only once per tick of
 * the event loop, so recording it costs nothing. Owned by the event loop.
 */
public final class ConnectionTimeouts {

  /** The periodic task of one event loop that checks the timeouts of all its connections. */
  public static final class Ticker implements Runnable {
    public static final long MILLIS = 250;

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

  public ConnectionTimeouts(Ticker ticker) {
    this.ticker = ticker;
    since = ticker.nanos;
  }

  /** Creates the timeouts of a stream of this connection. */
  public ConnectionTimeouts ofStream() {
    return new ConnectionTimeouts(ticker);
  }

  public @Nullable TimedConnection connection() {
    return connection;
  }

  /** Registers {@code owner}, whose timeouts are checked from now on. */
  public void opened(TimedConnection owner) {
    connection = owner;
    ticker.clocks.add(this);
    hasPart = true; // the time limit of a head applies until the first request
  }

  public void closed() {
    ticker.clocks.remove(this);
  }

  /** Records that bytes arrived; they may begin a request. */
  public void recordInput(boolean isBetweenRequests) {
    if (!isBetweenRequests || hasPart) return;
    hasPart = true;
    since = ticker.nanos;
  }

  public void recordRequestStart() {
    hasPart = false;
    since = ticker.nanos;
  }

  public void recordBodyProgress() {
    since = ticker.nanos;
  }

  public void recordRequestEnd() {
    since = ticker.nanos;
  }

  private boolean isOver(Duration limit) {
    return ticker.nanos - since > limit.toNanos();
  }

  public boolean isHeadLate(HttpLimits limits) {
    return hasPart && isOver(limits.headerTime());
  }

  public boolean isIdleTooLong(HttpLimits limits) {
    return !hasPart && isOver(limits.idleTime());
  }

  /** Whether the body is late; it never is while the server itself does not read. */
  public boolean isBodyLate(HttpLimits limits, Channel channel) {
    return channel.config().isAutoRead() && isOver(limits.bodyTime());
  }

  public boolean isAnswerLate(HttpLimits limits) {
    return isOver(limits.answerTime());
  }

  /**
   * Records the progress of the output, and returns whether the client has read nothing for too
   * long. Progress means that bytes have left: the first waiting message, or how much of it has
   * been written, has changed since the last call.
   */
  public boolean detectOutputStall(Channel channel, HttpLimits limits) {
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

  /** Does the same for a stream, given the bytes that wait and the bytes sent in all. */
  public boolean detectStreamStall(long pending, long left, HttpLimits limits) {
    boolean hasMoved = pending == 0 || left != progressBefore;
    progressBefore = left;
    if (hasMoved) outputSince = ticker.nanos;
    return !hasMoved && hasStalledSince(outputSince, limits);
  }

  private boolean hasStalledSince(long start, HttpLimits limits) {
    return ticker.nanos - start > limits.writeTime().toNanos();
  }
}
