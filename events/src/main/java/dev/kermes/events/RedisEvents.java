package dev.kermes.events;

import dev.kermes.client.RedisClient;
import dev.kermes.events.schedule.Missed;
import dev.kermes.events.schedule.Schedule;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Events that Redis keeps until they were handled: at least once, in order per key, by one of
 * several JVMs. {@link #emit} appends; {@link #topic} brings the events of a topic to the handlers
 * of a reactor, with the same keys.
 *
 * <pre>{@code
 * try (RedisEvents events = RedisEvents.of(redis, reactor).group("billing").open()) {
 *   reactor.on("orders/{id}", event -> ship(event.param("id"), event.payload()));
 *   events.topic("orders");
 *   events.emit("orders/42", "two books");
 * }
 * }</pre>
 *
 * <p>The first segment of a key is the topic, the rest is the key in it. Any thread.
 */
public final class RedisEvents implements AutoCloseable {

  private static final Duration LEASE = Duration.ofSeconds(12);
  private static final Duration RETENTION = Duration.ofDays(7);
  private static final int WINDOW = 256;
  private static final int STARTS_MAX = 5;

  private final RedisClient redis;
  private final Reactor reactor;
  private final EventsOptions options;
  private final Map<String, CompletableFuture<Appender>> appenders = new ConcurrentHashMap<>();
  private final Map<String, Topic> topics = new ConcurrentHashMap<>();
  private final Calls calls;
  private final Answering answering;
  private final Schedules schedules;

  private RedisEvents(RedisClient redis, Reactor reactor, EventsOptions options) {
    this.redis = redis;
    this.reactor = reactor;
    this.options = options;
    calls = new Calls(redis, options);
    answering = new Answering(redis, reactor, options, calls, this::token);
    schedules = new Schedules(redis, options);
  }

  /** Begins with a client and a reactor, neither of which it closes. */
  public static Builder of(RedisClient redis, Reactor reactor) {
    return new Builder(redis, reactor);
  }

  /** The options; {@link #open} ends them. */
  public static final class Builder {
    private final RedisClient redis;
    private final Reactor reactor;
    private String group = "";
    private String member = UUID.randomUUID().toString();
    private int partitions;
    private Duration lease = LEASE;
    private int window = WINDOW;
    private Duration retention = RETENTION;
    private Parking parking = Parking.none();
    private int startsMax = STARTS_MAX;
    private String start = "0";
    private PayloadCodec payloads = PayloadTypes.standard();

    private Builder(RedisClient redis, Reactor reactor) {
      this.redis = redis;
      this.reactor = reactor;
    }

    /**
     * The application whose members share the events. Each group gets every event. Without one,
     * events can only be emitted.
     */
    public Builder group(String name) {
      group = TopicKeys.checkedGroup(name);
      return this;
    }

    /** The name of this member, unique in the group; a random one by default. */
    public Builder member(String name) {
      member = TopicKeys.checked("member", name);
      return this;
    }

    /**
     * The number of partitions of a topic, 1 to 1024, which the first opener of a topic decides for
     * ever. Opening one that has another number fails. By default the topic's own number, 16 for a
     * new one. A group can have this many members that work.
     */
    public Builder partitions(int number) {
      partitions = Appender.checkedPartitions(number);
      return this;
    }

    /**
     * How long the partitions of a member that does not answer stay with it: longer than the pauses
     * of its JVM; 12 seconds by default, at least 100 milliseconds.
     */
    public Builder lease(Duration length) {
      if (length.toMillis() < 100) {
        throw new IllegalArgumentException("out of range: lease=" + length);
      }
      lease = length;
      return this;
    }

    /**
     * How many events of a partition are taken ahead of their acknowledgement, and are repeated
     * after a crash at most; 256 by default.
     */
    public Builder window(int events) {
      if (events < 1) throw new IllegalArgumentException("out of range: window=" + events);
      window = events;
      return this;
    }

    /**
     * How long events are kept after every group has acknowledged them; 7 days by default. Others
     * are kept for ever.
     */
    public Builder retention(Duration age) {
      retention = age;
      return this;
    }

    /**
     * Whether events wait in Redis, and for how long, whose handlers failed in spite of their own
     * retries; by default they are dead letters at once.
     */
    public Builder parking(Parking how) {
      parking = how;
      return this;
    }

    /**
     * How often an event is begun if its owner dies each time before the handlers have ended; then
     * it is a dead letter, since it may be the cause. 5 by default.
     */
    public Builder startsMax(int starts) {
      if (starts < 1) throw new IllegalArgumentException("out of range: startsMax=" + starts);
      startsMax = starts;
      return this;
    }

    /** A new group begins with the next event, instead of the first one that is kept. */
    public Builder fromNow() {
      start = "$";
      return this;
    }

    /** The codec of payloads; {@link PayloadTypes#standard()} by default. */
    public Builder payloads(PayloadCodec codec) {
      payloads = codec;
      return this;
    }

    /** The events; nothing is sent before the first topic or event. */
    public RedisEvents open() {
      EventsOptions options =
          new EventsOptions(
              group,
              member,
              partitions,
              lease,
              window,
              retention,
              parking,
              startsMax,
              start,
              payloads);
      return new RedisEvents(redis, reactor, options);
    }
  }

  /** The name of this member. */
  public String member() {
    return options.member();
  }

  /**
   * Brings the events of a topic to the handlers of the reactor, as {@code topic/key}. Register the
   * handlers first: an event that no handler matches is a dead letter. Waits for the server. A
   * topic that is open already is returned as it is; one that was closed is opened again.
   *
   * @throws IllegalStateException if there is no group, or if the topic has another number of
   *     partitions
   */
  public Topic topic(String name) {
    return topic(name, topic -> {});
  }

  /**
   * The same, and calls {@code beforeReading} first, for {@link Topic#onAcquired} and {@link
   * Topic#onReleased}.
   */
  public Topic topic(String name, Consumer<? super Topic> beforeReading) {
    if (options.group().isEmpty()) throw new IllegalStateException("no group: topic=" + name);
    Appender appender = await(appender(name));
    return topics.compute(
        name,
        (absent, open) ->
            open != null && !open.isClosed() ? open : opened(name, appender, beforeReading));
  }

  private Topic opened(String name, Appender appender, Consumer<? super Topic> beforeReading) {
    Topic topic = new Topic(redis, reactor, options, keys(name), appender, this::callOwner);
    beforeReading.accept(topic);
    topic.start();
    return topic;
  }

  private static Appender await(CompletableFuture<Appender> opening) {
    try {
      return opening.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      throw e;
    }
  }

  /** The future of a topic; instead of a failed one there is another attempt. */
  private CompletableFuture<Appender> appender(String topic) {
    CompletableFuture<Appender> known = appenders.get(topic);
    if (known != null && known.isCompletedExceptionally()) appenders.remove(topic, known);
    return appenders.computeIfAbsent(topic, name -> Appender.open(redis, options, keys(name)));
  }

  private TopicKeys keys(String topic) {
    return new TopicKeys(TopicKeys.checked("topic", topic), options.group());
  }

  /** Like {@link #emit(String, Object, EmitOptions)}, without options. */
  public CompletableFuture<String> emit(String key, Object payload) {
    return emit(key, payload, EmitOptions.none());
  }

  /**
   * Appends an event to the topic that is the first segment of the key.
   *
   * @return completes with the event's id when the server has the event: its partition, a colon,
   *     and the entry's id, as in {@code 7:1700000000000-0}; for a delayed event with a text of its
   *     own. If it fails with a lost connection or a timeout, the event may be stored; with an
   *     {@link EmitOptions#id} it can be emitted again
   */
  public CompletableFuture<String> emit(String key, Object payload, EmitOptions how) {
    String topic = topicOf(key);
    return appender(topic).thenCompose(opened -> opened.append(keyIn(topic, key), payload, how));
  }

  /**
   * Like {@link #schedule(String, Schedule, Object, Missed)}; what was missed is made up for by one
   * event.
   */
  public void schedule(String key, Schedule schedule, Object payload) {
    schedule(key, schedule, payload, Missed.ONCE);
  }

  /**
   * Emits an event at each time of a schedule, which its header of the name scheduled tells, as
   * {@link Instant#toString}. Any number of members, of all groups and of none, can have the
   * schedule: each time has one event. The key's event can have one schedule; with another one it
   * changes. Events are emitted while a member runs, by the server's time. Waits for the server.
   *
   * @throws IllegalArgumentException if there is no codec for the payload
   */
  public void schedule(String key, Schedule schedule, Object payload, Missed missed) {
    String topic = topicOf(key);
    Appender appender = await(appender(topic));
    schedules.add(appender.recurring(keyIn(topic, key), payload, schedule, missed));
  }

  /**
   * Ends the schedule of a key. Other members that have it continue with its next time: end it in
   * all of them.
   */
  public void unschedule(String key) {
    String topic = topicOf(key);
    Appender appender = await(appender(topic));
    schedules.remove(appender.scheduleKeys(keyIn(topic, key)), keyIn(topic, key));
  }

  /** Whether all topics are read and all schedules looked after, and the last failure if not. */
  public Source.Health health() {
    RuntimeException last = schedules.failure();
    if (last != null) return new Source.Health(false, last.toString());
    return topics.values().stream()
        .map(Topic::health)
        .filter(health -> !health.isUp())
        .findFirst()
        .orElse(Source.Health.UP);
  }

  private static String topicOf(String key) {
    int slash = key.indexOf('/');
    if (slash <= 0) throw new IllegalArgumentException("no topic: key=" + key);
    return key.substring(0, slash);
  }

  private static String keyIn(String topic, String key) {
    return key.substring(topic.length() + 1);
  }

  // ---- calls

  /**
   * Answers calls of other members whose keys have this topic as their first segment, by the
   * handlers of the reactor: {@code event.reply(answer)}. Waits for the server. The topic need not
   * be open; a member that owns partitions of an open one answers {@link #callOwner} as well.
   */
  public void answer(String topic) {
    answering.add(TopicKeys.checked("topic", topic));
  }

  /**
   * Asks one of the members that {@link #answer} calls of the key's topic, at random. At most once:
   * a request is handed to one member and never repeated.
   *
   * @return completes with the answer. It fails with {@link dev.kermes.reactor.NoHandlerException}
   *     at once if no member receives the request, or if the one that does has no handler for it;
   *     with {@link RemoteFailureException} if a handler threw; and with a {@link
   *     java.util.concurrent.TimeoutException} if there is no answer in time
   */
  public CompletableFuture<Object> call(String key, Object request, Duration timeout) {
    String topic = TopicKeys.checked("topic", topicOf(key));
    String lease = Long.toString(options.lease().toMillis());
    return calls.call(
        key,
        request,
        EventMeta.none().within(timeout),
        false,
        () ->
            ScriptCall.of(Scripts.ALIVE, List.of(keys(topic).listeners()), lease)
                .send(redis)
                .thenApply(RedisEvents::shuffled));
  }

  private static Optional<List<String>> shuffled(List<String> members) {
    List<String> all = new ArrayList<>(members);
    Collections.shuffle(all, ThreadLocalRandom.current());
    return Optional.of(all);
  }

  /**
   * Asks the member of this group that owns the partition of the key; it has to {@link #answer}
   * calls of the topic. Its handler gets the owner's fencing token. While the partition changes
   * hands, or has no owner yet, the request waits for the next one; if the group has no member that
   * could become it, the call fails at once. Failures are those of {@link #call}.
   */
  public CompletableFuture<Object> callOwner(String key, Object request, Duration timeout) {
    return callOwner(key, request, EventMeta.none().within(timeout));
  }

  private CompletableFuture<Object> callOwner(String key, Object request, EventMeta meta) {
    String topic = topicOf(key);
    return appender(topic)
        .thenCompose(opened -> {
          int partition = TopicKeys.partition(keyIn(topic, key), opened.partitions());
          return calls.call(key, request, meta, true, () -> owner(topic, partition));
        });
  }

  /** The member that receives calls for the owner; empty if there will be one. */
  private CompletionStage<Optional<List<String>>> owner(String topic, int partition) {
    String lease = Long.toString(options.lease().toMillis());
    return ScriptCall.of(Scripts.OWNER_OR_NEXT, List.of(keys(topic).owner(partition)), lease)
        .send(redis)
        .thenCompose(member ->
            member.isEmpty()
                ? withoutOwner(topic, lease)
                : CompletableFuture.completedStage(Optional.of(List.of(member))));
  }

  /** No member, or empty if one of the group reads the topic, since it will own the partition. */
  private CompletionStage<Optional<List<String>>> withoutOwner(String topic, String lease) {
    Topic mine = topics.get(topic);
    if (mine != null && !mine.isClosed()) return CompletableFuture.completedStage(Optional.empty());
    return ScriptCall.of(Scripts.ALIVE, List.of(keys(topic).members()), lease)
        .send(redis)
        .thenApply(members -> members.isEmpty() ? Optional.of(List.of()) : Optional.empty());
  }

  /** The fencing token of this member for a key with its topic; 0 if it does not own it. */
  private long token(String key) {
    String name = topicOf(key);
    Topic topic = topics.get(name);
    return topic == null ? 0 : topic.token(keyIn(name, key));
  }

  /** How many answers arrived after their call had ended, by a timeout as a rule. */
  public long lateAnswers() {
    return calls.late();
  }

  /**
   * Closes all topics, each as {@link Topic#close(Duration)}; returns how many events were left.
   */
  public int close(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    schedules.close();
    int left = 0;
    for (Topic topic : topics.values()) {
      left += topic.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    topics.clear();
    answering.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    calls.close();
    return left;
  }

  /** Closes all topics, and gives handlers 10 seconds. */
  @Override
  public void close() {
    int unused = close(Topic.CLOSE_TIMEOUT);
  }
}
