package dev.kermes.client.internal.routing;

import dev.kermes.client.internal.connection.Backoff;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Refreshes the topology: when there is a reason to, and periodically without one. It makes one
 * query at a time, with a pause between two queries. Owned by the event loop.
 */
final class TopologyRefresh {
  /** The pause between two queries; a failover takes longer anyway. */
  private static final long PAUSE_MILLIS = 100;

  private final EventLoop loop;
  private final TopologySource source;
  private final Backoff backoff;
  private final Consumer<TopologySnapshot> taker;
  private boolean isUnderWay;
  private boolean isScheduled;
  private boolean isClosed;

  TopologyRefresh(
      EventLoop loop, TopologySource source, Backoff backoff, Consumer<TopologySnapshot> taker) {
    this.loop = loop;
    this.source = source;
    this.backoff = backoff;
    this.taker = taker;
  }

  /** Refreshes now and then once per {@code period}, unless that is zero. */
  void start(Duration period) {
    source.start(this::request);
    ask();
    if (!period.isZero()) {
      var unused =
          loop.scheduleAtFixedRate(
              this::request, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Requests a refresh soon. */
  void request() {
    if (!isUnderWay) askIn(PAUSE_MILLIS);
  }

  private void askIn(long millis) {
    if (isScheduled || isClosed) return;
    isScheduled = true;
    loop.schedule(this::ask, millis, TimeUnit.MILLISECONDS);
  }

  private void ask() {
    isScheduled = false;
    if (isUnderWay || isClosed) return;
    isUnderWay = true;
    source.ask(this::onAnswer);
  }

  private void onAnswer(@Nullable TopologySnapshot snapshot) {
    isUnderWay = false;
    if (isClosed) return;
    if (snapshot == null) {
      askIn(backoff.nextMillis());
      return;
    }
    backoff.succeeded();
    taker.accept(snapshot);
  }

  void close() {
    isClosed = true;
    source.close();
  }
}
