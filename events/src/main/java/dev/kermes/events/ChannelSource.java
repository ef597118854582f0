package dev.kermes.events;

import dev.kermes.client.Codec;
import dev.kermes.client.Deployment;
import dev.kermes.client.RedisClient;
import dev.kermes.client.Subscription;
import dev.kermes.client.SubscriptionEvent;
import dev.kermes.client.SubscriptionOptions;
import dev.kermes.events.internal.MastersReading;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.Inlet;
import dev.kermes.reactor.Source;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of Redis channels as events of a reactor. Best effort: a message that is published
 * while the connection is lost does not arrive, nor do those that a slow handler lets overflow the
 * buffer. {@link #onGap} tells when that may have happened. Immutable: methods with an argument
 * return a copy.
 *
 * <pre>{@code
 * reactor.on("channel/{name}", event -> show(event.param("name"), event.payload()));
 * reactor.from(ChannelSource.of(redis, "news", "weather"));
 * }</pre>
 */
public final class ChannelSource implements Source.BestEffort {

  private enum Kind {
    CHANNEL,
    PATTERN,
    SHARD,
    KEYSPACE
  }

  private final RedisClient redis;
  private final Kind kind;
  private final List<String> names;
  private final String prefix;
  private final Codec<?> codec;
  private final SubscriptionOptions buffer;
  private final Consumer<? super SubscriptionEvent> onGap;

  private ChannelSource(
      RedisClient redis,
      Kind kind,
      List<String> names,
      String prefix,
      Codec<?> codec,
      SubscriptionOptions buffer,
      Consumer<? super SubscriptionEvent> onGap) {
    this.redis = redis;
    this.kind = kind;
    this.names = names;
    this.prefix = prefix;
    this.codec = codec;
    this.buffer = buffer;
    this.onGap = onGap;
  }

  private static ChannelSource of(RedisClient redis, Kind kind, List<String> names, String prefix) {
    SubscriptionOptions buffer = new SubscriptionOptions();
    return new ChannelSource(redis, kind, names, prefix, Codec.utf8(), buffer, gap -> {});
  }

  /** Messages of channels, with the keys {@code channel/NAME}. */
  public static ChannelSource of(RedisClient redis, String... channels) {
    return of(redis, Kind.CHANNEL, List.of(channels), "channel");
  }

  /** Messages of channels that match patterns, with the keys {@code channel/NAME}. */
  public static ChannelSource patterns(RedisClient redis, String... patterns) {
    return of(redis, Kind.PATTERN, List.of(patterns), "channel");
  }

  /** Messages of shard channels, with the keys {@code channel/NAME}. */
  public static ChannelSource shards(RedisClient redis, String... channels) {
    return of(redis, Kind.SHARD, List.of(channels), "channel");
  }

  /**
   * Keyspace events of these names in all databases, such as {@code expired}, with the keys {@code
   * keyspace/NAME/KEY} and the Redis key as payload. They are hints: the server sends them only if
   * {@code notify-keyspace-events} says so, once and to those that are connected, and {@code
   * expired} when it deletes the key, which may be long after its time.
   *
   * <p>In a cluster each master sends its own, so each has a client of its own, and the hook of
   * {@link #onGap} gets the events of all of them. A new master is listened to when {@code redis}
   * knows it: soon after a failure or a redirection, and otherwise within {@link
   * dev.kermes.client.RedisOptions#topologyPeriod}.
   */
  public static ChannelSource keyspace(RedisClient redis, String... events) {
    List<String> patterns = Arrays.stream(events).map(each -> "__keyevent@*__:" + each).toList();
    return of(redis, Kind.KEYSPACE, patterns, "keyspace");
  }

  /** The same with another first segment of the events' keys. */
  public ChannelSource prefix(String segments) {
    return new ChannelSource(redis, kind, names, segments, codec, buffer, onGap);
  }

  /** The same with a codec for payloads; they are texts by default. */
  public ChannelSource payloads(Codec<?> decoder) {
    return new ChannelSource(redis, kind, names, prefix, decoder, buffer, onGap);
  }

  /** The same with another buffer; 1,024 messages by default, of which the oldest are dropped. */
  public ChannelSource buffer(SubscriptionOptions how) {
    return new ChannelSource(redis, kind, names, prefix, codec, how, onGap);
  }

  /**
   * The same with a hook for everything that is not a message: {@link SubscriptionEvent.Lost},
   * {@link SubscriptionEvent.Resumed}, {@link SubscriptionEvent.Dropped}, {@link
   * SubscriptionEvent.Refused} and {@link SubscriptionEvent.Confirmed}. It runs between the
   * messages before and after it.
   */
  public ChannelSource onGap(Consumer<? super SubscriptionEvent> hook) {
    return new ChannelSource(redis, kind, names, prefix, codec, buffer, hook);
  }

  @Override
  public Source.Reading start(Inlet inlet) {
    boolean isOfEachMaster =
        kind == Kind.KEYSPACE && redis.options().deployment() instanceof Deployment.Cluster;
    return isOfEachMaster
        ? MastersReading.start(redis, master -> read(master, inlet))
        : read(redis, inlet);
  }

  private Source.Reading read(RedisClient client, Inlet inlet) {
    Reader reader = new Reader(subscribe(client), inlet);
    Thread unused = Thread.ofVirtual().name("kermes-" + names).start(reader::run);
    return reader;
  }

  private Subscription subscribe(RedisClient client) {
    return switch (kind) {
      case CHANNEL -> client.subscribe(names, buffer);
      case SHARD -> client.ssubscribe(names, buffer);
      case PATTERN, KEYSPACE -> client.psubscribe(names, buffer);
    };
  }

  private String keyOf(String channel, Object payload) {
    if (kind != Kind.KEYSPACE) return prefix + "/" + channel;
    return prefix + "/" + channel.substring(channel.indexOf(':') + 1) + "/" + payload;
  }

  private final class Reader implements Source.Reading {
    private final Subscription subscription;
    private final Inlet inlet;

    private final PauseGate gate = new PauseGate();
    private volatile @Nullable SubscriptionEvent gap;

    Reader(Subscription subscription, Inlet inlet) {
      this.subscription = subscription;
      this.inlet = inlet;
    }

    void run() {
      try {
        for (var event = subscription.take(); event != null; event = subscription.take()) {
          if (event instanceof SubscriptionEvent.Message message) {
            gate.pass(() -> tryDeliver(message));
          } else {
            noteGap(event);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void noteGap(SubscriptionEvent event) {
      boolean isEnd =
          event instanceof SubscriptionEvent.Resumed
              || event instanceof SubscriptionEvent.Confirmed;
      boolean isBegin =
          event instanceof SubscriptionEvent.Lost || event instanceof SubscriptionEvent.Refused;
      if (isEnd) gap = null;
      if (isBegin) gap = event;
      onGap.accept(event);
    }

    private void tryDeliver(SubscriptionEvent.Message message) {
      try {
        deliver(message);
      } catch (RuntimeException e) {
        onGap.accept(new SubscriptionEvent.Dropped(1)); // not decoded
      }
    }

    private void deliver(SubscriptionEvent.Message message) {
      byte[] bytes = message.payload();
      Object payload = codec.decode(bytes, 0, bytes.length);
      EventMeta meta = EventMeta.none().header("channel", message.channel());
      var unused = inlet.deliver(keyOf(message.channel(), payload), payload, meta);
    }

    @Override
    public void pause() {
      gate.pause();
    }

    @Override
    public void resume() {
      gate.resume();
    }

    @Override
    public void close() {
      subscription.close();
      gate.close();
    }

    @Override
    public Source.Health health() {
      SubscriptionEvent last = gap;
      return last == null ? Source.Health.UP : new Source.Health(false, last.toString());
    }
  }
}
