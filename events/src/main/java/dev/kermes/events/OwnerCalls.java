package dev.kermes.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisException;
import dev.kermes.client.Script;
import dev.kermes.client.ServerErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The fenced scripts of one partition under one epoch. One call at a time, each answered before the
 * next: so an acknowledgement without an answer is sent again before any later one. The thread of
 * the partition only.
 */
final class OwnerCalls {

  private static final long PAUSE_NANOS = 50_000_000;

  /** The errors after which the caller is not the owner any more, or the group is gone. */
  private static final Set<String> LOST = Set.of("FENCED", "GONE");

  private final RedisClient redis;
  private final TopicKeys keys;
  private final int partition;
  private final String epoch;
  private final Lease lease;
  private volatile @Nullable RedisException failure;

  /** The number of the last call, and of the last that was answered. */
  private long number;

  private long answered;

  OwnerCalls(RedisClient redis, TopicKeys keys, int partition, long epoch, Lease lease) {
    this.redis = redis;
    this.keys = keys;
    this.partition = partition;
    this.epoch = Long.toString(epoch);
    this.lease = lease;
  }

  /** The failure of the last call; null if it succeeded. */
  @Nullable RedisException failure() {
    return failure;
  }

  /**
   * Takes new events. Without an answer they may be pending and unknown here: then the result is
   * null, and the caller must read what is pending before it takes more.
   */
  @Nullable Taken fetch(int count) throws LeaseLostException {
    List<String> all = List.of(stream(), owner(), keys.later(partition));
    try {
      return Taken.fetched(once(Scripts.FETCH, all, keys.group(), Integer.toString(count)));
    } catch (RedisException e) {
      LockSupport.parkNanos(PAUSE_NANOS);
      return null;
    }
  }

  /** Reads pending events behind an id. */
  Taken pending(int count, StreamId from) throws LeaseLostException {
    String max = Integer.toString(count);
    return Taken.pending(repeated(Scripts.PENDING, both(), keys.group(), max, from.toString()));
  }

  void acknowledge(List<StreamId> ids, @Nullable StreamId floor) throws LeaseLostException {
    List<String> arguments = new ArrayList<>(List.of(keys.group(), text(floor)));
    for (StreamId id : ids) arguments.add(id.toString());
    repeated(Scripts.ACK, both(), arguments.toArray(String[]::new));
  }

  void bury(Outcome.Dead dead, @Nullable StreamId floor) throws LeaseLostException {
    List<String> all = List.of(stream(), owner(), keys.dead(partition));
    repeated(
        Scripts.DEAD,
        all,
        keys.group(),
        text(floor),
        dead.id().toString(),
        dead.cause(),
        dead.handlers(),
        Integer.toString(dead.attempts()));
  }

  void renew() throws LeaseLostException {
    repeated(Scripts.RENEW, both());
  }

  void trim(long ageMillis) throws LeaseLostException {
    repeated(Scripts.TRIM, both(), Long.toString(ageMillis));
  }

  void release(String successor) throws LeaseLostException {
    repeated(Scripts.RELEASE, both(), successor);
  }

  /** Calls a script until it is answered or the lease has ended. */
  private <T extends @Nullable Object> T repeated(
      Script<T> script, List<String> all, String... arguments) throws LeaseLostException {
    while (true) {
      try {
        return once(script, all, arguments);
      } catch (RedisException e) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /**
   * Calls a script; a {@link RedisException} means that it may have been executed. Each call has a
   * number, also when it repeats one; see {@link Scripts}.
   */
  private <T extends @Nullable Object> T once(
      Script<T> script, List<String> all, String... arguments) throws LeaseLostException {
    long requested = System.nanoTime();
    if (lease.leftNanos() <= 0) throw new LeaseLostException("lease not renewed in time", failure);
    try {
      T result = call(script, all, arguments).run(redis, lease.requestTimeout());
      answered = number;
      lease.renewed(requested);
      failure = null;
      return result;
    } catch (RedisException e) {
      failure = e;
      if (isLost(e)) throw new LeaseLostException(e.getMessage(), e);
      throw e;
    }
  }

  private <T extends @Nullable Object> ScriptCall<T> call(
      Script<T> script, List<String> all, String... arguments) {
    number++;
    List<byte[]> bytes = new ArrayList<>(arguments.length + 4);
    bytes.add(epoch.getBytes(UTF_8));
    bytes.add(lease.millis().getBytes(UTF_8));
    bytes.add(Long.toString(number).getBytes(UTF_8));
    bytes.add(Long.toString(answered).getBytes(UTF_8));
    for (String each : arguments) bytes.add(each.getBytes(UTF_8));
    return new ScriptCall<>(script, all, bytes);
  }

  private static boolean isLost(RedisException e) {
    return e instanceof ClientClosedException
        || e instanceof ServerErrorException refused && LOST.contains(refused.code());
  }

  private List<String> both() {
    return List.of(stream(), owner());
  }

  private String stream() {
    return keys.stream(partition);
  }

  private String owner() {
    return keys.owner(partition);
  }

  private static String text(@Nullable StreamId floor) {
    return floor == null ? "" : floor.toString();
  }
}
