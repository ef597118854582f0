package dev.kermes.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisException;
import dev.kermes.client.Script;
import dev.kermes.client.ServerErrorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
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

  // The keys of scripts
  private final List<String> both;
  private final List<String> starts;
  private final List<String> lanes;
  private final List<String> ending;
  private final List<String> fetching;

  private final String epoch;
  private final Lease lease;
  private final Parking parking;
  private final String startsMax;

  /** Whether events may have one start too many: with at most two, they would be dead too early. */
  private final boolean isCountedEarly;

  private volatile @Nullable RedisException failure;

  /** The number of the last call, and of the last that was answered. */
  private long number;

  private long answered;

  OwnerCalls(RedisClient redis, Partition partition, Parking parking, int startsMax) {
    this.redis = redis;
    this.parking = parking;
    this.startsMax = Integer.toString(startsMax);
    isCountedEarly = startsMax > 2;
    keys = partition.keys();
    int number = partition.number();
    String dead = keys.dead(number);
    String counts = keys.starts(number);
    String parked = keys.parked(number);
    both = List.of(keys.stream(number), keys.owner(number));
    starts = joined(both, counts);
    lanes = joined(both, parked, dead);
    ending = joined(lanes, counts);
    fetching = joined(ending, keys.later(number));
    epoch = Long.toString(partition.epoch());
    lease = partition.lease();
  }

  /** The failure of the last call; null if it succeeded. */
  @Nullable RedisException failure() {
    return failure;
  }

  /**
   * Acknowledges events and takes new ones. Without an answer both may have happened: then the
   * result is null, and the caller must acknowledge these events again, and read what is pending,
   * before it takes more.
   */
  @Nullable Taken fetch(int count, List<StreamId> done, @Nullable StreamId floor)
      throws LeaseLostException {
    String max = Integer.toString(count);
    try {
      return Taken.fetched(
          once(Scripts.FETCH, fetching, with(done, keys.group(), max, laneMax(), text(floor))));
    } catch (RedisException e) {
      LockSupport.parkNanos(PAUSE_NANOS);
      return null;
    }
  }

  /**
   * Reads pending events behind an id; those up to another id are of earlier owners. The first
   * start of those is counted here already, also of an event that waits for others of its key and
   * may never begin: a call for each, one after the other, would delay a new owner by seconds.
   */
  Taken pending(int count, StreamId from, StreamId ofEarlierOwners) throws LeaseLostException {
    String max = Integer.toString(count);
    String counts = isCountedEarly && from.compareTo(ofEarlierOwners) < 0 ? "1" : "0";
    return Taken.pending(
        repeated(Scripts.PENDING, ending, keys.group(), max, laneMax(), from.toString(), counts),
        ofEarlierOwners);
  }

  /** Counts starts of events of an earlier owner; returns how many of each were counted. */
  List<Long> start(List<StreamId> ids) throws LeaseLostException {
    return repeated(Scripts.START, starts, with(ids));
  }

  void acknowledge(List<StreamId> ids, @Nullable StreamId floor) throws LeaseLostException {
    repeated(Scripts.ACK, starts, with(ids, keys.group(), text(floor)));
  }

  void bury(Outcome.Dead dead, @Nullable StreamId floor) throws LeaseLostException {
    Outcome.Failure why = dead.failure();
    repeated(
        Scripts.DEAD,
        ending,
        keys.group(),
        text(floor),
        why.cause(),
        why.handlers(),
        Integer.toString(why.attempts()),
        dead.entry().id().toString());
  }

  // ---- parked keys

  /** Parks a key with these events; returns the milliseconds until the first attempt. */
  long park(Outcome.Failed failed, List<StreamId> ids, @Nullable StreamId floor)
      throws LeaseLostException {
    Outcome.Failure why = failed.failure();
    String key = failed.entry().key();
    String attempts = Integer.toString(why.attempts());
    repeated(
        ParkingScripts.PARK,
        ending,
        with(
            ids,
            keys.group(),
            millis(parking.backoffFirst()),
            text(floor),
            key,
            why.cause(),
            why.handlers(),
            attempts));
    return parking.backoffFirst().toMillis();
  }

  /** Reads the first events of lanes that are due. */
  ParkedLanes.Due tryParked(int count) throws LeaseLostException {
    return ParkedLanes.Due.tried(
        repeated(
            ParkingScripts.TRY,
            lanes,
            Integer.toString(count),
            millis(parking.backoffFirst()),
            millis(parking.backoffMax()),
            startsMax));
  }

  /** Ends an attempt of a lane's first event. */
  ParkedLanes.Due endParked(Entry entry, String state, Outcome.@Nullable Failure failure)
      throws LeaseLostException {
    List<String> reply =
        repeated(
            ParkingScripts.END,
            lanes,
            millis(parking.age()),
            millis(parking.backoffFirst()),
            millis(parking.backoffMax()),
            entry.key(),
            entry.id().toString(),
            state,
            failure == null ? "" : failure.cause(),
            failure == null ? "" : failure.handlers(),
            failure == null ? "0" : Integer.toString(failure.attempts()));
    return ParkedLanes.Due.ended(reply);
  }

  private String laneMax() {
    return Integer.toString(parking.lengthMax());
  }

  private static String millis(Duration time) {
    return Long.toString(time.toMillis());
  }

  // ---- the lease

  void renew() throws LeaseLostException {
    repeated(Scripts.RENEW, both);
  }

  void trim(long ageMillis) throws LeaseLostException {
    repeated(Scripts.TRIM, both, Long.toString(ageMillis));
  }

  void release(String successor) throws LeaseLostException {
    repeated(Scripts.RELEASE, both, successor);
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

  private static String[] with(List<StreamId> ids, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    for (StreamId id : ids) all.add(id.toString());
    return all.toArray(String[]::new);
  }

  private static List<String> joined(List<String> first, String... then) {
    return Stream.concat(first.stream(), Stream.of(then)).toList();
  }

  private static String text(@Nullable StreamId floor) {
    return floor == null ? "" : floor.toString();
  }
}
