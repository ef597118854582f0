package dev.kermes.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.client.RedisClient;
import dev.kermes.events.schedule.Missed;
import dev.kermes.events.schedule.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The recurring events of this member. Redis has the next time of each, in a hash of the partition
 * of its key, and one script compares that time with the one that is expected, appends the event if
 * it is due, and stores the following time:
 *
 * <pre>
 *   no time            store the first one after now, or the one that was known and has been lost
 *   a later time       wait
 *   now or before      append the event and store the following time
 * </pre>
 *
 * So each time has one event, however many members have the schedule, and none of them is in
 * charge. Time is the server's. Any thread.
 */
final class Schedules implements AutoCloseable {

  /** The end of the year 9999, which stands for a schedule that has ended. */
  private static final long NEVER_MILLIS = 253_402_300_799_999L;

  /**
   * The event of a schedule.
   *
   * @param keys its stream, and the hash of its partition
   * @param name its key without the topic
   * @param fields of the entry, without the time
   */
  record Recurring(
      List<String> keys, String name, List<byte[]> fields, Schedule schedule, Missed missed) {

    /** The first time after another one, as milliseconds. */
    long next(long afterMillis) {
      Instant next = schedule.next(Instant.ofEpochMilli(afterMillis));
      if (next == null) return NEVER_MILLIS;
      if (next.toEpochMilli() <= afterMillis) {
        throw new IllegalStateException(
            "a schedule must move forward: key=%s, after=%d, next=%s"
                .formatted(name, afterMillis, next));
      }
      return next.toEpochMilli();
    }

    /**
     * Whether a time is one of the schedule, which it is not if another one stored it. A schedule
     * that counts from the last time, as {@code last -> last.plusSeconds(60)}, takes any.
     */
    boolean has(long millis, long nowMillis) {
      long next = next(nowMillis);
      boolean isCounting = next != NEVER_MILLIS && next(next - 1) != next;
      return isCounting || millis == (millis == NEVER_MILLIS ? next : next(millis - 1));
    }

    List<byte[]> fieldsAt(long millis) {
      List<byte[]> all = new ArrayList<>(fields);
      all.add("h:scheduled".getBytes(UTF_8));
      all.add(Instant.ofEpochMilli(millis).toString().getBytes(UTF_8));
      return all;
    }
  }

  /** The answer of the server: its time, and the next time of an event or empty. */
  private record Stored(long nowMillis, String next) {}

  private final RedisClient redis;
  private final EventsOptions options;
  private final Map<List<String>, Recurring> all = new ConcurrentHashMap<>();

  /** The next times that the server had; under the lock. */
  private final Map<List<String>, String> known = new HashMap<>();

  /** Held while a schedule is advanced or removed. */
  private final ReentrantLock turn = new ReentrantLock();

  private @Nullable Thread thread;
  private volatile boolean isClosed;
  private volatile @Nullable RuntimeException failure;

  Schedules(RedisClient redis, EventsOptions options) {
    this.redis = redis;
    this.options = options;
  }

  /** The failure of the last look; null if it succeeded. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  private static List<String> id(List<String> keys, String name) {
    return List.of(keys.getLast(), name);
  }

  /** Emits an event by a schedule from now on, instead of the one that its key had. */
  synchronized void add(Recurring recurring) {
    long unused = recurring.next(0); // fails here rather than on the thread
    all.put(id(recurring.keys(), recurring.name()), recurring);
    if (thread == null) thread = Thread.ofVirtual().name("kermes-schedules").start(this::run);
    else LockSupport.unpark(thread);
  }

  /** Emits an event no more, and forgets its next time. */
  void remove(List<String> keys, String name) {
    turn.lock();
    try {
      List<String> id = id(keys, name);
      all.remove(id);
      known.remove(id);
      long unused = ScriptCall.of(Scripts.UNSCHEDULE, keys, name).run(redis);
    } finally {
      turn.unlock();
    }
  }

  private void run() {
    while (!isClosed) LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(look()));
  }

  /** Looks at all; returns the milliseconds until one is due, or until the next look. */
  private long look() {
    long wait = Math.max(1, options.lease().toMillis() / 3);
    RuntimeException last = null;
    for (List<String> id : all.keySet()) {
      turn.lock();
      try {
        Recurring what = all.get(id);
        if (what != null) wait = Math.min(wait, advance(id, what));
      } catch (RuntimeException e) {
        last = e; // the next look tries again
      } finally {
        turn.unlock();
      }
    }
    failure = last;
    return wait;
  }

  /** Emits what is due; returns the milliseconds until the next time. */
  private long advance(List<String> id, Recurring what) {
    Stored stored = change(what, "-", 0, List.of()); // a time is never "-"
    while (!isClosed) {
      long now = stored.nowMillis();
      if (stored.next().isEmpty()) {
        String lost = known.get(id);
        stored = change(what, "", lost == null ? what.next(now) : Long.parseLong(lost), List.of());
        continue;
      }
      long due = Long.parseLong(stored.next());
      if (!what.has(due, now)) {
        stored = change(what, stored.next(), what.next(now), List.of());
      } else if (due > now) {
        known.put(id, stored.next());
        return due - now;
      } else {
        stored = emit(what, stored, due);
      }
    }
    return 0;
  }

  private Stored emit(Recurring what, Stored stored, long due) {
    boolean isMissed = stored.nowMillis() - due > options.lease().toMillis();
    boolean isLast = isMissed && what.missed() != Missed.EACH;
    long following = what.next(isLast ? stored.nowMillis() : due);
    List<byte[]> event = isMissed && what.missed() == Missed.SKIP ? List.of() : what.fieldsAt(due);
    return change(what, stored.next(), following, event);
  }

  /** Stores another time and appends an event, if there is one, unless the time has changed. */
  private Stored change(Recurring what, String expected, long followingMillis, List<byte[]> event) {
    List<byte[]> arguments = new ArrayList<>();
    for (String each : List.of(what.name(), expected, Long.toString(followingMillis))) {
      arguments.add(each.getBytes(UTF_8));
    }
    arguments.addAll(event);
    List<String> reply =
        new ScriptCall<>(Scripts.SCHEDULE, what.keys(), arguments)
            .run(redis, options.requestTimeout());
    return new Stored(Long.parseLong(reply.getFirst()), reply.getLast());
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (thread != null) LockSupport.unpark(thread);
  }
}
