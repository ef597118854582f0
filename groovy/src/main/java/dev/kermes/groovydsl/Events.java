package dev.kermes.groovydsl;

import dev.kermes.client.RedisClient;
import dev.kermes.events.ChannelSource;
import dev.kermes.events.EmitOptions;
import dev.kermes.events.RedisEvents;
import dev.kermes.events.StreamSource;
import dev.kermes.events.Topic;
import dev.kermes.events.schedule.Missed;
import dev.kermes.events.schedule.Schedule;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.Registration;
import dev.kermes.reactor.RunningSource;
import groovy.lang.Closure;
import groovy.lang.DelegatesTo;
import groovy.transform.stc.ClosureParams;
import groovy.transform.stc.FromString;
import java.time.Duration;
import java.util.Map;

/**
 * Events that Redis keeps until they were handled: at least once, in order per key, by one of
 * several JVMs. {@code kermes-events} has to be on the class path. The methods block for the
 * server.
 *
 * <pre>
 * Events.open(redis, group: 'billing').withCloseable { events -&gt;
 *   events.on('orders/{id}') { event -&gt; ship(event.param('id'), event.payload()) }
 *   events.topic('orders')
 *   events.emit('orders/42', 'two books', delay: Duration.ofHours(2))
 * }
 * </pre>
 */
public final class Events implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  private final RedisClient redis;
  private final Reactor reactor;
  private final boolean ownsReactor;
  private final RedisEvents events;

  private Events(RedisClient redis, Reactor reactor, boolean ownsReactor, RedisEvents events) {
    this.redis = redis;
    this.reactor = reactor;
    this.ownsReactor = ownsReactor;
    this.events = events;
  }

  /** Opens topics over a client, which can only emit; nothing is sent before the first event. */
  public static Events open(Redis redis) {
    return open(Map.of(), redis);
  }

  /**
   * Opens topics over a client. Named options are the methods of {@link RedisEvents.Builder}, such
   * as {@code group: 'billing'}, and {@code reactor}, to use one of yours instead of one that is
   * closed with this.
   */
  public static Events open(Map<String, ?> options, Redis redis) {
    Object given = options.get("reactor");
    Reactor reactor = given == null ? Reactor.create() : (Reactor) given;
    RedisEvents.Builder builder = RedisEvents.of(redis.underlying(), reactor);
    var unused = NamedOptions.fill(builder, NamedOptions.without(options, "reactor"));
    return new Events(redis.underlying(), reactor, given == null, builder.open());
  }

  /** The Java API, for futures. */
  public RedisEvents underlying() {
    return events;
  }

  /** The reactor whose handlers get the events. */
  public Reactor getReactor() {
    return reactor;
  }

  // ---- emitting

  /** Like {@link #emit(Map, CharSequence, Object)}, without options. */
  public String emit(CharSequence key, Object payload) {
    return emit(Map.of(), key, payload);
  }

  /**
   * Appends an event to the topic that is the first segment of the key; returns its id when the
   * server has it. Named options are the methods of {@link EmitOptions}. After a lost connection or
   * a timeout the event may be stored; with an {@code id} it can be emitted again.
   */
  public String emit(Map<String, ?> options, CharSequence key, Object payload) {
    EmitOptions how = NamedOptions.fill(EmitOptions.none(), options);
    return Await.result(events.emit(key.toString(), plain(payload), how));
  }

  /** A GString as a String, which has a codec. */
  private static Object plain(Object payload) {
    return payload instanceof CharSequence text ? text.toString() : payload;
  }

  // ---- recurring events

  /** Like {@link #schedule(Map, CharSequence, Schedule, Object)}, without options. */
  public void schedule(CharSequence key, Schedule schedule, Object payload) {
    schedule(Map.of(), key, schedule, payload);
  }

  /**
   * Emits an event at each time of a schedule, which its header of the name scheduled tells. A
   * closure from an Instant to the next one is a schedule, too. Let every member have the same
   * schedules: each time has one event. A key has one schedule; another one takes its place. The
   * option is {@code missed: Missed.SKIP}, what becomes of times at which no member was there;
   * {@code ONCE} by default.
   */
  public void schedule(
      Map<String, ?> options, CharSequence key, Schedule schedule, Object payload) {
    NamedOptions.refuse(NamedOptions.without(options, "missed"));
    Object given = options.get("missed");
    Missed missed = given == null ? Missed.ONCE : (Missed) given;
    events.schedule(key.toString(), schedule, plain(payload), missed);
  }

  /** Ends the schedule of a key. Other members that have it continue: end it in all of them. */
  public void unschedule(CharSequence key) {
    events.unschedule(key.toString());
  }

  // ---- handlers

  /** Like {@link #on(Map, CharSequence, Closure)}, without options. */
  public Registration on(
      CharSequence pattern,
      @ClosureParams(
              value = FromString.class,
              options = {
                "dev.kermes.reactor.Event<java.lang.Object>",
                "java.lang.Object,dev.kermes.reactor.EventMeta",
                "java.lang.String,java.lang.Object,dev.kermes.reactor.EventMeta"
              })
          Closure<?> handler) {
    return on(Map.of(), pattern, handler);
  }

  /**
   * Calls the closure for the events whose keys match a pattern, in order per key. With one
   * parameter it gets the event; with two, the payload and the metadata; with three, the key, the
   * payload and the metadata. The event is acknowledged when it returns, and has failed if it
   * throws. Its result answers a call. Named options are the methods of {@link
   * dev.kermes.reactor.HandlerSpec}, such as {@code of: Order, retry: Retry.times(8)}.
   */
  public Registration on(
      Map<String, ?> options,
      CharSequence pattern,
      @ClosureParams(
              value = FromString.class,
              options = {
                "dev.kermes.reactor.Event<java.lang.Object>",
                "java.lang.Object,dev.kermes.reactor.EventMeta",
                "java.lang.String,java.lang.Object,dev.kermes.reactor.EventMeta"
              })
          Closure<?> handler) {
    return NamedOptions.fill(reactor.at(pattern.toString()), options).handleFunction(handler);
  }

  /**
   * Brings the events of a topic to the handlers, which must be registered before: an event that no
   * handler matches is a dead letter.
   */
  public Topic topic(CharSequence name) {
    return events.topic(name.toString());
  }

  /** The same; the closure may add hooks for partitions before the topic is read. */
  public Topic topic(
      CharSequence name,
      @DelegatesTo(value = Topic.class, strategy = Closure.DELEGATE_FIRST)
          Closure<?> beforeReading) {
    return events.topic(name.toString(), topic -> Closures.on(topic, beforeReading));
  }

  // ---- calls

  /** Lets the handlers of this member answer calls of a topic. */
  public void answer(CharSequence topic) {
    events.answer(topic.toString());
  }

  /** Like {@link #call(Map, CharSequence, Object)}, with a timeout of 10 seconds. */
  public Object call(CharSequence key, Object request) {
    return call(Map.of(), key, request);
  }

  /**
   * Asks one of the members that answer calls of the key's topic, at random and at most once; with
   * {@code owner: true}, the member that owns the partition of the key. The {@code timeout} is a
   * Duration. Throws a {@link dev.kermes.reactor.NoHandlerException} at once if no member receives
   * the request, and a {@link dev.kermes.events.RemoteFailureException} if a handler threw; a
   * timeout is the cause of a {@link java.util.concurrent.CompletionException}.
   */
  public Object call(Map<String, ?> options, CharSequence key, Object request) {
    NamedOptions.refuse(NamedOptions.without(options, "timeout", "owner"));
    Object given = options.get("timeout");
    Duration timeout = given == null ? CALL_TIMEOUT : (Duration) given;
    return Await.result(
        NamedOptions.has(options, "owner")
            ? events.callOwner(key.toString(), plain(request), timeout)
            : events.call(key.toString(), plain(request), timeout));
  }

  // ---- other sources

  /** Like {@link #channels(Map, Object)}, without options. */
  public RunningSource channels(Object names) {
    return channels(Map.of(), names);
  }

  /**
   * Brings the messages of channels, one or a list, to the handlers, as {@code channel/NAME}; best
   * effort. Named options are the methods of {@link ChannelSource}, such as {@code onGap: { }}.
   */
  public RunningSource channels(Map<String, ?> options, Object names) {
    return from(options, ChannelSource.of(redis, array(names)));
  }

  /** Brings the messages of all channels that match patterns, one or a list, to the handlers. */
  public RunningSource patterns(Map<String, ?> options, Object patterns) {
    return from(options, ChannelSource.patterns(redis, array(patterns)));
  }

  /** Brings the messages of shard channels, one or a list, to the handlers. */
  public RunningSource shards(Map<String, ?> options, Object names) {
    return from(options, ChannelSource.shards(redis, array(names)));
  }

  /**
   * Brings keyspace events such as {@code expired}, one or a list, to the handlers, as {@code
   * keyspace/NAME/KEY}: hints.
   */
  public RunningSource keyspace(Map<String, ?> options, Object names) {
    return from(options, ChannelSource.keyspace(redis, array(names)));
  }

  private RunningSource from(Map<String, ?> options, ChannelSource source) {
    return reactor.from(NamedOptions.fill(source, options));
  }

  private static String[] array(Object names) {
    return Arguments.names(names).toArray(String[]::new);
  }

  /**
   * Brings the entries of a stream that others write to the handlers, as {@code stream/NAME}, for a
   * {@code consumer} of a {@code group}: at least once, in no order over several workers. Further
   * named options are the methods of {@link StreamSource}.
   *
   * @throws IllegalArgumentException without {@code group} or {@code consumer}
   */
  public RunningSource stream(Map<String, ?> options, CharSequence name) {
    if (!NamedOptions.has(options, "group", "consumer")) {
      throw new IllegalArgumentException("group and consumer expected: options=" + options);
    }
    String group = String.valueOf(options.get("group"));
    String consumer = String.valueOf(options.get("consumer"));
    StreamSource source = StreamSource.of(redis, name.toString(), group, consumer);
    Map<String, ?> others = NamedOptions.without(options, "group", "consumer");
    return reactor.from(NamedOptions.fill(source, others));
  }

  // ---- the end

  /**
   * Stops reading, gives handlers this time, flushes acknowledgements and releases the partitions;
   * returns how many events were left. A reactor of its own is closed as well.
   */
  public int close(Duration timeout) {
    int left = events.close(timeout);
    if (ownsReactor) reactor.close();
    return left;
  }

  /** Closes, and gives handlers 10 seconds. */
  @Override
  public void close() {
    int unused = close(CLOSE_TIMEOUT);
  }
}
