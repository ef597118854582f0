package dev.kermes.events;

import dev.kermes.client.Codec;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.Commands;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisException;
import dev.kermes.client.Replies;
import dev.kermes.client.ScanOptions;
import dev.kermes.client.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A look at topics from outside: which there are, their groups, owners, and what waits. It changes
 * nothing, except for the dead letters that it is told to replay or drop. The methods wait for the
 * server and throw its {@link RedisException}. Any thread.
 */
public final class TopicInspector {

  /**
   * One partition of a group.
   *
   * @param number its number
   * @param events how many events the stream keeps
   * @param pending how many of them the owner has taken and not ended
   * @param lag how many the owner has not taken; -1 if the server cannot tell
   * @param owner the member that owns it; empty if there is none
   * @param epoch the last owner's fencing token
   * @param parked how many keys are parked
   * @param dead how many dead letters there are
   * @param delayed how many events of all groups are delayed
   */
  public record PartitionFacts(
      int number,
      long events,
      long pending,
      long lag,
      String owner,
      long epoch,
      long parked,
      long dead,
      long delayed) {}

  private static final String SETTINGS = new TopicKeys("*", "").settings();

  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  /** KEYS: stream. Result: the names of its groups. */
  private static final Script<List<String>> GROUPS =
      Script.of(
          """
          local names = {}
          local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
          if groups.err then return names end
          for _, facts in ipairs(groups) do
            for i = 1, #facts, 2 do
              if facts[i] == 'name' then names[#names + 1] = facts[i + 1] end
            end
          end
          return names
          """,
          Replies.list(Replies.text()));

  /**
   * KEYS: stream, owner hash, parked keys, dead letters, delayed events. ARGV: group. Result: texts
   * in the order of {@link PartitionFacts}.
   */
  private static final Script<List<String>> FACTS =
      Script.of(
          Scripts.NOW
              + """
              local pending, lag = 0, -1
              local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
              for _, facts in ipairs(groups.err and {} or groups) do
                local group = {}
                for i = 1, #facts, 2 do group[facts[i]] = facts[i + 1] end
                if group['name'] == ARGV[1] then
                  pending, lag = group['pending'], group['lag'] or -1
                end
              end
              local owner = redis.call('HMGET', KEYS[2], 'owner', 'until', 'epoch')
              local isOwned = tonumber(owner[2] or '0') > now
              return {text(redis.call('XLEN', KEYS[1])), text(pending), text(lag),
                isOwned and owner[1] or '', owner[3] or '0', text(redis.call('ZCARD', KEYS[3])),
                text(redis.call('XLEN', KEYS[4])), text(redis.call('ZCARD', KEYS[5]))}
              """,
          Replies.list(Replies.text()));

  private final RedisClient redis;

  private TopicInspector(RedisClient redis) {
    this.redis = redis;
  }

  /** Looks through a client, which it does not close. */
  public static TopicInspector of(RedisClient redis) {
    return new TopicInspector(redis);
  }

  /** The names of all topics; looks at all keys of the servers. */
  public List<String> topics() {
    Supplier<CompletionStage<List<String>>> pages =
        redis.scanPages(cursor -> COMMANDS.scan(cursor, new ScanOptions().match(SETTINGS)));
    TreeSet<String> names = new TreeSet<>();
    List<String> page = ScriptCall.await(pages.get());
    while (!page.isEmpty()) {
      for (String key : page) names.add(key.substring(1, key.indexOf('}')));
      page = ScriptCall.await(pages.get());
    }
    return List.copyOf(names);
  }

  /** The groups that have read a topic. */
  public List<String> groups(String topic) {
    TreeSet<String> names = new TreeSet<>();
    for (int partition = 0; partition < partitions(topic); partition++) {
      String stream = keys(topic, "").stream(partition);
      names.addAll(ScriptCall.of(GROUPS, List.of(stream)).run(redis));
    }
    return List.copyOf(names);
  }

  /** The partitions of a topic as a group sees them; none if there is no such topic. */
  public List<PartitionFacts> facts(String topic, String group) {
    TopicKeys keys = keys(topic, group);
    List<PartitionFacts> all = new ArrayList<>();
    for (int number = 0; number < partitions(topic); number++) {
      List<String> names =
          List.of(
              keys.stream(number),
              keys.owner(number),
              keys.parked(number),
              keys.dead(number),
              keys.later(number));
      all.add(facts(number, ScriptCall.of(FACTS, names, group).run(redis)));
    }
    return all;
  }

  private static PartitionFacts facts(int number, List<String> reply) {
    return new PartitionFacts(
        number,
        Long.parseLong(reply.getFirst()),
        Long.parseLong(reply.get(1)),
        Long.parseLong(reply.get(2)),
        reply.get(3),
        Long.parseLong(reply.get(4)),
        Long.parseLong(reply.get(5)),
        Long.parseLong(reply.get(6)),
        Long.parseLong(reply.get(7)));
  }

  /** The parked keys of a group, at most this many. */
  public List<ParkedKey> parked(String topic, String group, int max) {
    return ParkedKey.listAll(redis, keys(topic, group), partitions(topic), max);
  }

  /** The events that a group failed to handle. */
  public DeadLetters deadLetters(String topic, String group) {
    return new DeadLetters(redis, keys(topic, group), partitions(topic));
  }

  /** The number of partitions of a topic; 0 if there is none. */
  public int partitions(String topic) {
    @Nullable Object number =
        redis.call(
            CommandBuilder.of("HGET")
                .key(Codec.utf8(), keys(topic, "").settings())
                .text("partitions")
                .build(Replies.anyBytes()));
    return number == null ? 0 : Integer.parseInt(Entry.text(number));
  }

  private static TopicKeys keys(String topic, String group) {
    return new TopicKeys(TopicKeys.checked("topic", topic), group);
  }
}
