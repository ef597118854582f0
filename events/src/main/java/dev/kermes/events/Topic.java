package dev.kermes.events;

import dev.kermes.client.RedisClient;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.Sink;
import dev.kermes.reactor.Source;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A topic whose events this member handles, together with the other members of its group. Its
 * partitions are shared among the members; {@link #isMine} tells which this one has. As a sink it
 * appends what {@link Reactor#emit} gets, after {@code reactor.to("orders/**", topic)}. Any thread.
 */
public final class Topic implements Sink.AtLeastOnce, AutoCloseable {

  /** 10 seconds: how long {@link #close()} waits for handlers. */
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final RedisClient redis;
  private final TopicKeys keys;
  private final Appender appender;
  private final OwnerCaller calls;
  private final Ring ring;

  /** Asks the owner of a key, which is given with the topic. */
  interface OwnerCaller {
    CompletableFuture<Object> call(String key, Object request, EventMeta meta);
  }

  Topic(
      RedisClient redis,
      Reactor reactor,
      EventsOptions options,
      TopicKeys keys,
      Appender appender,
      OwnerCaller calls) {
    this.redis = redis;
    this.keys = keys;
    this.appender = appender;
    this.calls = calls;
    ring = new Ring(redis, reactor, options, keys, appender.partitions());
  }

  /** Begins to acquire partitions and to read them. */
  void start() {
    ring.start();
  }

  boolean isClosed() {
    return ring.isClosed();
  }

  /** Its name, the first segment of its events' keys. */
  public String name() {
    return keys.topic();
  }

  /** The number of its partitions. */
  public int partitions() {
    return appender.partitions();
  }

  /** The partition of a key, which is given without the topic. */
  public int partition(String key) {
    return TopicKeys.partition(key, partitions());
  }

  /** The partitions that this member owns. */
  public List<Integer> mine() {
    return ring.mine();
  }

  /** Whether this member owns the partition of a key, by its own clock. */
  public boolean isMine(String key) {
    return ring.isMine(partition(key));
  }

  /**
   * The fencing token of a key that is given without the topic; 0 if this member does not own it.
   */
  long token(String key) {
    return ring.token(partition(key));
  }

  /** The member that owns the partition of a key, as the server knows it; null if there is none. */
  public @Nullable String owner(String key) {
    String owner = ScriptCall.of(Scripts.OWNER, List.of(keys.owner(partition(key)))).run(redis);
    return owner.isEmpty() ? null : owner;
  }

  /**
   * Adds a hook that is called with each partition that this member acquires, and its fencing
   * token, before the partition's first event. If it throws, the partition is given back.
   */
  public Topic onAcquired(BiConsumer<Integer, Long> hook) {
    ring.onAcquired(hook);
    return this;
  }

  /**
   * Adds a hook that is called with each partition that this member gives up, after its handlers
   * have ended. When a lease was lost, another member may own the partition already.
   */
  public Topic onReleased(IntConsumer hook) {
    ring.onReleased(hook);
    return this;
  }

  /** The events that the group failed to handle. */
  public DeadLetters deadLetters() {
    return new DeadLetters(redis, keys, partitions());
  }

  /**
   * The parked keys of the group, at most this many, of each partition those first that are due
   * next.
   */
  public List<ParkedKey> parked(int max) {
    return ParkedKey.listAll(redis, keys, partitions(), max);
  }

  /** Whether the topic is read, and the last failure if not. */
  public Source.Health health() {
    return ring.health();
  }

  /** Appends an event; the metadata's id, headers and deadline become {@link EmitOptions}. */
  @Override
  public CompletableFuture<String> emit(String key, Object payload, EventMeta meta) {
    String prefix = name() + "/";
    if (!key.startsWith(prefix)) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException("not of this topic: topic=" + name() + ", key=" + key));
    }
    EmitOptions options = EmitOptions.none().headers(meta.headers());
    String id = meta.id();
    if (id != null) options = options.id(id);
    if (meta.hasDeadline()) options = options.within(meta.remaining());
    return appender.append(key.substring(prefix.length()), payload, options);
  }

  /**
   * Asks the owner of the key's partition, as {@link RedisEvents#callOwner}; the time limit is the
   * deadline in {@code meta}.
   */
  @Override
  public CompletableFuture<Object> call(String key, Object request, EventMeta meta) {
    return calls.call(key, request, meta);
  }

  /**
   * Stops in this order: no further events are read, handlers end, acknowledgements are flushed,
   * the partitions are released.
   *
   * @return how many events were still with handlers when the time was over; these are handled once
   *     more, by the next owner, when the lease has passed
   */
  public int close(Duration timeout) {
    return ring.close(timeout);
  }

  /** Stops, and gives handlers 10 seconds. */
  @Override
  public void close() {
    int unused = close(CLOSE_TIMEOUT);
  }
}
