package dev.kermes.events;

import dev.kermes.client.RedisClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key whose first event fails, and is tried again later; see {@link Parking}.
 *
 * @param key the key, with the topic
 * @param events how many events wait, the failing one included
 * @param next when it is tried next, by the server's time
 * @param origin the id of the failing event, as handlers saw it
 * @param attempts how often its first failing handler was called
 * @param since when it failed first; null if the event before it has just ended
 * @param cause the exception of the last attempt; empty as long as it has not been tried
 * @param handlers the names of the handlers that failed
 */
public record ParkedKey(
    String key,
    long events,
    Instant next,
    String origin,
    int attempts,
    @Nullable Instant since,
    String cause,
    List<String> handlers) {

  /** Those of all partitions. */
  static List<ParkedKey> listAll(RedisClient redis, TopicKeys keys, int partitions, int max) {
    List<ParkedKey> found = new ArrayList<>();
    for (int partition = 0; partition < partitions && found.size() < max; partition++) {
      found.addAll(list(redis, keys, partition, max - found.size()));
    }
    return found;
  }

  static List<ParkedKey> list(RedisClient redis, TopicKeys keys, int partition, int max) {
    List<String> names =
        List.of(keys.stream(partition), keys.owner(partition), keys.parked(partition));
    List<ParkedKey> found = new ArrayList<>();
    for (@Nullable Object each :
        ScriptCall.of(ParkingScripts.PARKED, names, Integer.toString(max)).run(redis)) {
      if (each instanceof List<?> facts) found.add(of(keys.topic(), partition, facts));
    }
    return found;
  }

  private static ParkedKey of(String topic, int partition, List<?> facts) {
    long since = Taken.time(facts.get(5));
    String handlers = Entry.text(facts.get(7));
    return new ParkedKey(
        topic + "/" + Entry.text(facts.getFirst()),
        facts.get(2) instanceof Long length ? length : 0,
        Instant.ofEpochMilli(Taken.time(facts.get(1))),
        partition + ":" + Entry.text(facts.get(3)),
        Integer.parseInt(Entry.text(facts.get(4))),
        since == 0 ? null : Instant.ofEpochMilli(since),
        Entry.text(facts.get(6)),
        handlers.isEmpty() ? List.of() : List.of(handlers.split("\n", -1)));
  }
}
