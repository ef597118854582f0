package dev.kermes.events;

import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisException;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.RunningSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls of other members by the handlers of the reactor. A sorted set per topic has the
 * members that answer, by their last sign of life; it only says whom to try, since PUBLISH tells
 * whether a member receives. Any thread.
 */
final class Answering {

  private final RedisClient redis;
  private final Reactor reactor;
  private final EventsOptions options;
  private final Calls calls;
  private final CallSource source;
  private final Set<String> topics = ConcurrentHashMap.newKeySet();
  private @Nullable RunningSource running;
  private @Nullable Thread thread;
  private volatile boolean isClosed;

  /**
   * Answers nothing yet.
   *
   * @param tokens the fencing token of this member for a key, or 0 if it does not own it
   */
  Answering(
      RedisClient redis,
      Reactor reactor,
      EventsOptions options,
      Calls calls,
      ToLongFunction<String> tokens) {
    this.redis = redis;
    this.reactor = reactor;
    this.options = options;
    this.calls = calls;
    source = new CallSource(calls, options.payloads(), tokens);
  }

  private String listeners(String topic) {
    return new TopicKeys(topic, options.group()).listeners();
  }

  /** Begins to answer calls of a topic; waits for the server. */
  synchronized void add(String topic) {
    if (running == null) {
      running = reactor.from(source);
      var unused = ScriptCall.await(calls.receive(source));
      thread = Thread.ofVirtual().name("kermes-answering").start(this::run);
    }
    beat(topic);
    topics.add(topic);
  }

  private void run() {
    while (!isClosed) {
      LockSupport.parkNanos(this, options.lease().toNanos() / 3);
      for (String topic : topics) if (!isClosed) tryBeat(topic);
    }
  }

  private void tryBeat(String topic) {
    try {
      beat(topic);
    } catch (RedisException e) {
      return; // the next one may arrive
    }
  }

  private void beat(String topic) {
    String lease = Long.toString(options.lease().toMillis());
    long unused =
        ScriptCall.of(Scripts.LISTEN, List.of(listeners(topic)), options.member(), lease)
            .run(redis, options.requestTimeout());
  }

  /** Refuses further requests, and gives the handlers this time. */
  synchronized void close(Duration timeout) {
    isClosed = true;
    if (thread != null) LockSupport.unpark(thread);
    topics.forEach(this::leave);
    if (running != null) {
      int unused = running.stop(timeout);
    }
  }

  private void leave(String topic) {
    try {
      Ring.leave(redis, options, listeners(topic));
    } catch (RedisException e) {
      return; // PUBLISH will find no receiver
    }
  }
}
