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
final class ConnectionClock {

  /** The rounds of one event loop. */
  static final class Rounds implements Runnable {
    static final long MILLIS = 250;

    private final Set<ConnectionClock> clocks = new LinkedHashSet<>();
    private long nanos = System.nanoTime();

    int connections() {
      return clocks.size();
    }

    @Override
    public void run() {
      nanos = System.nanoTime();
      for (ConnectionClock clock : Set.copyOf(clocks)) {
        if (clock.connection != null) clock.connection.checkTimes();
      }
    }
  }

  private final Rounds rounds;
  private @Nullable Connection connection;
  private boolean hasPart;
  private long since;
  private long outputSince;
  private @Nullable Object firstBefore;
  private long progressBefore;
  private long pendingBefore;

  ConnectionClock(Rounds rounds) {
    this.rounds = rounds;
    since = rounds.nanos;
  }

  /** That of a stream of this connection. */
  ConnectionClock ofStream() {
    return new ConnectionClock(rounds);
  }

  @Nullable Connection connection() {
    return connection;
  }

  /** From now on {@code owner} is told to check its times. */
  void opened(Connection owner) {
    connection = owner;
    rounds.clocks.add(this);
    hasPart = true; // until its first request it has the time that a head has
  }

  void closed() {
    rounds.clocks.remove(this);
  }

  /** Bytes came; whether they begin a request is not known yet. */
  void inputCame(boolean isBetweenRequests) {
    if (!isBetweenRequests || hasPart) return;
    hasPart = true;
    since = rounds.nanos;
  }

  void requestBegan() {
    hasPart = false;
    since = rounds.nanos;
  }

  void bodyMoved() {
    since = rounds.nanos;
  }

  void requestEnded() {
    since = rounds.nanos;
  }

  private boolean isOver(Duration limit) {
    return rounds.nanos - since > limit.toNanos();
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
  boolean isOutputStuck(Channel channel, HttpLimits limits) {
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
    if (hasMoved) outputSince = rounds.nanos;
    return !hasMoved && isStuckSince(outputSince, limits);
  }

  /** The same of a stream, by how much of it is waiting and how much has left in all. */
  boolean isStreamStuck(long pending, long left, HttpLimits limits) {
    boolean hasMoved = pending == 0 || left != progressBefore;
    progressBefore = left;
    if (hasMoved) outputSince = rounds.nanos;
    return !hasMoved && isStuckSince(outputSince, limits);
  }

  private boolean isStuckSince(long start, HttpLimits limits) {
    return rounds.nanos - start > limits.writeTime().toNanos();
  }
}
