package dev.kermes.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.client.AsyncSender;
import dev.kermes.client.Codec;
import dev.kermes.client.Command;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.DedicatedConnection;
import dev.kermes.client.RedisClient;
import dev.kermes.client.Replies;
import dev.kermes.events.schedule.Missed;
import dev.kermes.events.schedule.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Appends events to a topic. Any thread. */
final class Appender {

  /** 16: a group can have this many members, and has this many blocked connections in all. */
  private static final int PARTITIONS = 16;

  private static final int PARTITIONS_MAX = 1024;

  private final RedisClient redis;
  private final TopicKeys keys;
  private final PayloadCodec payloads;
  private final int partitions;

  private Appender(RedisClient redis, TopicKeys keys, PayloadCodec payloads, int partitions) {
    this.redis = redis;
    this.keys = keys;
    this.payloads = payloads;
    this.partitions = partitions;
  }

  /** Opens a topic, and creates it if it does not exist. */
  static CompletableFuture<Appender> open(
      RedisClient redis, EventsOptions options, TopicKeys keys) {
    int wanted = options.partitions() == 0 ? PARTITIONS : options.partitions();
    return ScriptCall.of(Scripts.OPEN, List.of(keys.settings()), Integer.toString(wanted))
        .send(redis)
        .thenApply(text -> {
          int stored = Integer.parseInt(text);
          if (options.partitions() != 0) checkPartitions(keys.topic(), wanted, stored);
          return new Appender(redis, keys, options.payloads(), stored);
        })
        .toCompletableFuture();
  }

  /** Throws unless the numbers are the same: else events of a key would be in two partitions. */
  static void checkPartitions(String topic, int wanted, int stored) {
    if (wanted == stored) return;
    throw new IllegalStateException(
        "a topic's partitions cannot be changed: topic=%s, stored=%d, wanted=%d"
            .formatted(topic, stored, wanted));
  }

  /** The number if a topic can have that many. */
  static int checkedPartitions(int number) {
    if (number < 1 || number > PARTITIONS_MAX) {
      throw new IllegalArgumentException("out of range: partitions=" + number);
    }
    return number;
  }

  int partitions() {
    return partitions;
  }

  /** Appends an event; the future completes with its id. */
  CompletableFuture<String> append(String key, Object payload, EmitOptions options) {
    int partition = TopicKeys.partition(key, partitions);
    List<byte[]> fields;
    try {
      fields = fields(key, payloads.encode(payload), options);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletionStage<String> stored =
        options.replicas() == 0
            ? append(redis, partition, fields, options)
            : appendReplicated(partition, fields, options);
    return stored.toCompletableFuture();
  }

  /**
   * A recurring event, whose entries have these fields.
   *
   * @throws IllegalArgumentException if the payload cannot be encoded
   */
  Schedules.Recurring recurring(String key, Object payload, Schedule schedule, Missed missed) {
    List<byte[]> fields = fields(key, payloads.encode(payload), EmitOptions.none());
    return new Schedules.Recurring(scheduleKeys(key), key, fields, schedule, missed);
  }

  /** The stream of a key, and the hash of its schedule. */
  List<String> scheduleKeys(String key) {
    int partition = TopicKeys.partition(key, partitions);
    return List.of(keys.stream(partition), keys.schedules(partition));
  }

  private static List<byte[]> fields(
      String key, PayloadCodec.Encoded payload, EmitOptions options) {
    List<byte[]> fields = new ArrayList<>();
    add(fields, "k", key.getBytes(UTF_8));
    add(fields, "t", payload.type().getBytes(UTF_8));
    add(fields, "v", payload.bytes());
    Duration within = options.within();
    if (within != null) add(fields, "d", bytes(Math.max(0, within.toMillis())));
    options.headers().forEach((name, value) -> add(fields, "h:" + name, value.getBytes(UTF_8)));
    return fields;
  }

  private static void add(List<byte[]> fields, String name, byte[] value) {
    fields.add(name.getBytes(UTF_8));
    fields.add(value);
  }

  private static byte[] bytes(long number) {
    return Long.toString(number).getBytes(UTF_8);
  }

  private CompletionStage<String> append(
      AsyncSender to, int partition, List<byte[]> fields, EmitOptions options) {
    CompletionStage<String> id =
        options.id() == null && options.delay().isZero()
            ? to.send(xadd(partition, fields))
            : script(partition, fields, options).send(to);
    return id.thenApply(text -> partition + ":" + text);
  }

  private Command<String> xadd(int partition, List<byte[]> fields) {
    CommandBuilder builder =
        CommandBuilder.of("XADD").key(Codec.utf8(), keys.stream(partition)).text("*");
    fields.forEach(builder::bytes);
    return builder.build(Replies.text());
  }

  private ScriptCall<String> script(int partition, List<byte[]> fields, EmitOptions options) {
    List<String> names = new ArrayList<>(List.of(keys.stream(partition), keys.later(partition)));
    if (options.id() != null) names.add(keys.emitted(partition, options.id()));
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(bytes(options.delay().toMillis()));
    arguments.add(bytes(options.idKept().toMillis()));
    arguments.add(UUID.randomUUID().toString().getBytes(UTF_8));
    arguments.addAll(fields);
    return new ScriptCall<>(Scripts.EMIT, names, arguments);
  }

  /** WAIT counts the replicas that have what its own connection has written. */
  private CompletionStage<String> appendReplicated(
      int partition, List<byte[]> fields, EmitOptions options) {
    return redis
        .dedicated(keys.stream(partition))
        .thenCompose(connection ->
            append(connection, partition, fields, options)
                .thenCompose(id -> awaitReplicas(connection, id, options))
                .whenComplete((id, error) -> connection.close()));
  }

  private static CompletionStage<String> awaitReplicas(
      DedicatedConnection connection, String id, EmitOptions options) {
    long timeoutMillis = Math.max(1, options.replicaTimeout().toMillis()); // 0 would be for ever
    Command<Long> wait =
        CommandBuilder.of("WAIT")
            .integer(options.replicas())
            .integer(timeoutMillis)
            .build(Replies.integer());
    return connection
        .send(wait)
        .thenApply(count -> {
          if (count < options.replicas()) throw new NotReplicatedException(id, count);
          return id;
        });
  }
}
