package dev.kermes.client.internal.stream;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.Command;
import dev.kermes.client.Commands;
import dev.kermes.client.RedisException;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.StreamHandler;
import dev.kermes.client.StreamRead;
import dev.kermes.client.XautoclaimOptions;
import dev.kermes.client.XgroupCreateOptions;
import dev.kermes.client.XreadgroupOptions;
import dev.kermes.client.internal.connection.Backoff;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.reply.ClaimPage;
import dev.kermes.client.reply.StreamEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a stream consumer: reads entries, calls the handler, acknowledges. The sources of
 * entries:
 *
 * <pre>
 *   XREADGROUP … last, until empty   given to this consumer before, but not seen: at the
 *                                    beginning and after a failure
 *   XAUTOCLAIM … cursor              not acknowledged for retryAfter, by this or another consumer:
 *                                    once in retryAfter, through all of them
 *   XREADGROUP … &gt;                   new ones, otherwise
 * </pre>
 *
 * <p>An entry whose handler threw also comes back by XAUTOCLAIM, so {@code last} is the only state
 * kept here. Owned by the worker's thread, except for {@link #stop}.
 */
public final class StreamConsumerLoop<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(StreamConsumerLoop.class);

  /** The longest wait of one read in the server. */
  private static final long BLOCK_MAX_MILLIS = 5_000;

  private final StreamClient redis;
  private final StreamRead<K, V> what;
  private final String group;
  private final String consumer;
  private final Duration retryAfter;
  private final StreamHandler<K, V> handler;
  private final Commands<K, V> commands;
  private final Backoff backoff;

  /** The last entry that was read, not claimed. */
  private String last = "0-0";

  private boolean isBehind = true;
  private String claimCursor = "0-0";
  private long claimNanos = System.nanoTime();

  private volatile @Nullable PendingFuture<?> asked;
  private volatile boolean isStopped;

  public StreamConsumerLoop(
      StreamClient redis, StreamRead<K, V> what, Duration retryAfter, StreamHandler<K, V> handler) {
    if (retryAfter.toMillis() < 1) {
      throw new IllegalArgumentException("out of range: retryAfter=" + retryAfter);
    }
    if (what.group() == null || what.consumer() == null) {
      throw new IllegalArgumentException("no group: key=" + what.key());
    }
    this.redis = redis;
    this.what = what;
    this.group = what.group();
    this.consumer = what.consumer();
    this.retryAfter = retryAfter;
    this.handler = handler;
    this.commands = new Commands<>(what.keys(), what.values());
    this.backoff = redis.backoff();
  }

  /**
   * Runs until it is stopped or the client is closed; throws a failure that waiting does not cure.
   */
  public void run() throws InterruptedException {
    boolean hasBegun = !redis.isClosed();
    while (!isStopped) {
      try {
        handle(next());
        backoff.succeeded();
      } catch (RedisException e) {
        if (isStopped || (hasBegun && e instanceof ClientClosedException)) return;
        recover(e);
      }
    }
  }

  private void recover(RedisException e) throws InterruptedException {
    isBehind = true;
    if (e instanceof ServerErrorException error && error.code().equals("NOGROUP")) {
      createGroup();
    } else if (StreamPages.isTransient(e)) {
      Thread.sleep(backoff.nextMillis());
    } else {
      throw e;
    }
  }

  private void createGroup() {
    try {
      ask(
          commands.xgroupCreate(
              what.key(), group, what.after(), new XgroupCreateOptions().mkstream()));
      last = "0-0";
    } catch (ServerErrorException e) {
      if (!e.code().equals("BUSYGROUP")) throw e; // otherwise another consumer was first
    }
  }

  // ---- reading

  private List<StreamEntry<K, V>> next() {
    if (isBehind) return readBehind();
    long left = claimNanos - System.nanoTime();
    return left <= 0 ? claim() : readNew(TimeUnit.NANOSECONDS.toMillis(left) + 1);
  }

  private List<StreamEntry<K, V>> readBehind() {
    List<StreamEntry<K, V>> entries = read(last, new XreadgroupOptions());
    isBehind = !entries.isEmpty();
    return entries;
  }

  private List<StreamEntry<K, V>> readNew(long millis) {
    return read(">", new XreadgroupOptions().block(Math.min(millis, BLOCK_MAX_MILLIS)));
  }

  private List<StreamEntry<K, V>> read(String id, XreadgroupOptions options) {
    options.count(what.pageMax());
    Map<K, List<StreamEntry<K, V>>> streams =
        ask(commands.xreadgroup(group, consumer, what.key(), id, options));
    if (streams.isEmpty()) return List.of();
    List<StreamEntry<K, V>> entries = streams.values().iterator().next();
    if (!entries.isEmpty()) last = entries.getLast().id();
    return entries;
  }

  private List<StreamEntry<K, V>> claim() {
    XautoclaimOptions options = new XautoclaimOptions().count(what.pageMax());
    ClaimPage<StreamEntry<K, V>> page =
        ask(commands.xautoclaim(what.key(), group, consumer, retryAfter, claimCursor, options));
    claimCursor = page.cursor();
    if (page.isLast()) claimNanos = System.nanoTime() + retryAfter.toNanos();
    return page.elements();
  }

  private <T> T ask(Command<T> command) {
    PendingFuture<T> reply = redis.send(command);
    asked = reply;
    if (isStopped) reply.cancel(false);
    return reply.joinThrowing();
  }

  /** Handles no further entry and cancels a read that waits in the server. Any thread. */
  public void stop() {
    isStopped = true;
    PendingFuture<?> waiting = asked;
    if (waiting != null) waiting.cancel(false);
  }

  // ---- handling

  private void handle(List<StreamEntry<K, V>> entries) {
    List<PendingFuture<Long>> acknowledged = new ArrayList<>();
    for (StreamEntry<K, V> entry : entries) {
      if (isStopped) break;
      if (isHandled(entry)) acknowledged.add(redis.send(acknowledgement(entry)));
    }
    for (PendingFuture<Long> each : acknowledged) each.joinThrowing();
  }

  private Command<Long> acknowledgement(StreamEntry<K, V> entry) {
    return commands.xack(what.key(), group, entry.id()).repeatable();
  }

  private boolean isHandled(StreamEntry<K, V> entry) {
    if (entry.fields().isEmpty()) return true; // deleted before it was acknowledged
    try {
      handler.handle(entry);
      return true;
    } catch (Throwable e) { // including failed assertions
      if (!isStopped)
        LOG.warn("handler failed: {}, id={}, again in {}", this, entry.id(), retryAfter, e);
      return false;
    }
  }

  @Override
  public String toString() {
    return "stream=" + what.key() + ", group=" + group + ", consumer=" + consumer;
  }
}
