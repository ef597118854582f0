package dev.kermes.events;

import dev.kermes.client.Codec;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.Decoder;
import dev.kermes.client.RedisClient;
import dev.kermes.client.Replies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of a topic that a group failed to handle. The methods wait for the server and throw
 * its {@link dev.kermes.client.RedisException}. Any thread.
 */
public final class DeadLetters {

  private static final Decoder<List<@Nullable Object>> LETTERS = Replies.list(Replies.anyBytes());

  private final RedisClient redis;
  private final TopicKeys keys;
  private final int partitions;

  DeadLetters(RedisClient redis, TopicKeys keys, int partitions) {
    this.redis = redis;
    this.keys = keys;
    this.partitions = partitions;
  }

  /** At most this many, of each partition the oldest first. */
  public List<DeadLetter> list(int max) {
    List<DeadLetter> letters = new ArrayList<>();
    for (int partition = 0; partition < partitions && letters.size() < max; partition++) {
      List<@Nullable Object> entries =
          redis.call(
              CommandBuilder.of("XRANGE")
                  .key(Codec.utf8(), keys.dead(partition))
                  .token("-")
                  .token("+")
                  .token("COUNT")
                  .integer(max - letters.size())
                  .build(LETTERS));
      for (Object entry : entries) letters.add(letter(partition, (List<?>) entry));
    }
    return letters;
  }

  private DeadLetter letter(int partition, @Nullable List<?> pair) {
    List<?> fields = pair == null ? List.of() : (List<?>) pair.get(1);
    String id = pair == null ? "0" : Entry.text(pair.getFirst());
    int size = fields.size();
    Entry event = Entry.of(id, fields.subList(0, size - 8), 1);
    Map<String, String> end = new HashMap<>();
    for (int i = size - 8; i < size; i += 2) {
      end.put(Entry.text(fields.get(i)), Entry.text(fields.get(i + 1)));
    }
    String handlers = end.getOrDefault("handlers", "");
    return new DeadLetter(
        partition,
        id,
        partition + ":" + end.getOrDefault("origin", ""),
        keys.topic() + "/" + event.key(),
        event.type(),
        event.payload(),
        event.headers(),
        end.getOrDefault("cause", ""),
        handlers.isEmpty() ? List.of() : List.of(handlers.split("\n", -1)),
        Integer.parseInt(end.getOrDefault("attempts", "0")));
  }

  /**
   * Appends the event once more, for the same group, and for the handlers that failed; it comes
   * behind later events of its key.
   *
   * @return false if there is no such dead letter any more
   */
  public boolean replay(DeadLetter letter) {
    List<String> names = List.of(keys.stream(letter.partition()), keys.dead(letter.partition()));
    return !ScriptCall.of(Scripts.REPLAY, names, letter.id(), keys.group()).run(redis).isEmpty();
  }

  /**
   * Deletes a dead letter.
   *
   * @return false if there is no such dead letter any more
   */
  public boolean drop(DeadLetter letter) {
    return redis.call(
            CommandBuilder.of("XDEL")
                .key(Codec.utf8(), keys.dead(letter.partition()))
                .text(letter.id())
                .build(Replies.integer()))
        > 0;
  }
}
