package dev.kermes.bench.events;

import dev.kermes.events.RedisEvents;
import dev.kermes.events.Topic;
import dev.kermes.reactor.Reactor;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RReliableTopic;
import org.redisson.api.RStream;
import org.redisson.api.RedissonClient;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.client.codec.Codec;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;

/** The compared libraries. */
final class EventLogs {

  /** Every subscriber of this one gets every event, so that several members cannot share them. */
  static final String BROADCAST = "redisson topic";

  private static final String NAME = "bench";
  private static final int BATCH = 100;
  private static final Duration BLOCK = Duration.ofMillis(100);

  private EventLogs() {}

  /** The libraries by the names of their rows, each opened with the server's URL. */
  static Map<String, Function<String, EventLog>> all() {
    Map<String, Function<String, EventLog>> all = new LinkedHashMap<>();
    all.put("kermes", Kermes::new);
    all.put("lettuce", OverLettuce::new);
    all.put("redisson", OverRedisson::new);
    all.put(BROADCAST, OverRedissonTopic::new);
    all.put("spring", OverSpring::new);
    return all;
  }

  private static final class Kermes implements EventLog {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int POLL_MILLIS = 100;

    private final String url;
    private final Reactor reactor = Reactor.create();
    private final RedisEvents emitter;
    private final List<Topic> topics = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    Kermes(String url) {
      this.url = url;
      emitter = RedisEvents.of(client(), reactor).open();
      open.add(reactor);
    }

    private dev.kermes.client.RedisClient client() {
      var client = dev.kermes.client.RedisClient.open(url);
      open.add(client);
      return client;
    }

    @Override
    public CompletionStage<?> append(String key, byte[] payload) {
      return emitter.emit(NAME + "/" + key, payload);
    }

    @Override
    public void join(Consumer<byte[]> handler) {
      Reactor own = Reactor.create();
      own.at(NAME + "/{key}").of(byte[].class).handle(event -> handler.accept(event.payload()));
      RedisEvents events = RedisEvents.of(client(), own).group(NAME).lease(LEASE).open();
      topics.add(events.topic(NAME));
      open.add(own);
      open.add(events);
    }

    /** Members hand partitions over for some thirds of a lease. */
    @Override
    public void settle() throws InterruptedException {
      List<List<Integer>> last = List.of();
      long since = System.nanoTime();
      while (true) {
        List<List<Integer>> now = topics.stream().map(Topic::mine).toList();
        long owned = now.stream().mapToLong(List::size).sum();
        if (!now.equals(last) || owned < topics.getFirst().partitions()) {
          since = System.nanoTime();
        } else if (topics.size() == 1 || System.nanoTime() - since > LEASE.toNanos()) {
          return;
        }
        last = now;
        Thread.sleep(POLL_MILLIS);
      }
    }

    @Override
    public void close() {
      for (AutoCloseable each : open.reversed()) closeQuietly(each);
    }
  }

  private static void closeQuietly(AutoCloseable open) {
    try {
      open.close();
    } catch (Exception e) {
      throw new IllegalStateException("not closed", e);
    }
  }

  /** A member on a thread of its own, which reads and acknowledges batches until it is closed. */
  private abstract static class Batches implements AutoCloseable {
    private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);
    private volatile boolean isClosed;

    final void start() {
      thread.start();
    }

    private void run() {
      while (!isClosed) handleBatch();
    }

    /** Waits for events for a moment, and handles those that there are. */
    abstract void handleBatch();

    @Override
    public void close() {
      isClosed = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** XADD, XREADGROUP and XACK as they are. */
  private static final class OverLettuce implements EventLog {
    private final io.lettuce.core.RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;
    private final List<Batches> members = new ArrayList<>();

    OverLettuce(String url) {
      client = io.lettuce.core.RedisClient.create(RedisURI.create(url));
      connection = connect();
      connection
          .sync()
          .xgroupCreate(
              XReadArgs.StreamOffset.from(NAME, "0"), NAME, XGroupCreateArgs.Builder.mkstream());
    }

    private StatefulRedisConnection<String, byte[]> connect() {
      return client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    }

    @Override
    public CompletionStage<?> append(String key, byte[] payload) {
      return connection.async().xadd(NAME, fields(key, payload));
    }

    @Override
    public void join(Consumer<byte[]> handler) {
      StatefulRedisConnection<String, byte[]> own = connect();
      var consumer = io.lettuce.core.Consumer.from(NAME, "c" + members.size());
      Batches member =
          new Batches() {
            @Override
            @SuppressWarnings("unchecked") // Lettuce's varargs of a generic type
            void handleBatch() {
              List<StreamMessage<String, byte[]>> messages =
                  own.sync()
                      .xreadgroup(
                          consumer,
                          XReadArgs.Builder.count(BATCH).block(BLOCK),
                          XReadArgs.StreamOffset.lastConsumed(NAME));
              if (messages.isEmpty()) return;
              for (var each : messages) {
                handler.accept(Objects.requireNonNull(each.getBody().get("v")));
              }
              String[] ids = messages.stream().map(StreamMessage::getId).toArray(String[]::new);
              var unused = own.async().xack(NAME, NAME, ids);
            }
          };
      members.add(member);
      member.start();
    }

    @Override
    public void close() {
      members.forEach(Batches::close);
      client.shutdown();
    }
  }

  private static Map<String, byte[]> fields(String key, byte[] payload) {
    return Map.of("k", key.getBytes(StandardCharsets.UTF_8), "v", payload);
  }

  private static RedissonClient redisson(String url) {
    Config config = new Config();
    config.useSingleServer().setAddress(url);
    return Redisson.create(config);
  }

  /** The same by RStream. */
  private static final class OverRedisson implements EventLog {
    private static final Codec CODEC =
        new CompositeCodec(
            org.redisson.client.codec.StringCodec.INSTANCE,
            org.redisson.client.codec.ByteArrayCodec.INSTANCE);

    private final RedissonClient client;
    private final RStream<String, byte[]> stream;
    private final List<Batches> members = new ArrayList<>();

    OverRedisson(String url) {
      client = redisson(url);
      stream = client.getStream(NAME, CODEC);
      stream.createGroup(StreamCreateGroupArgs.name(NAME).id(StreamMessageId.ALL).makeStream());
    }

    @Override
    public CompletionStage<?> append(String key, byte[] payload) {
      return stream.addAsync(StreamAddArgs.entries(fields(key, payload)));
    }

    @Override
    public void join(Consumer<byte[]> handler) {
      String consumer = "c" + members.size();
      Batches member =
          new Batches() {
            @Override
            void handleBatch() {
              Map<StreamMessageId, Map<String, byte[]>> messages =
                  stream.readGroup(
                      NAME,
                      consumer,
                      StreamReadGroupArgs.neverDelivered().count(BATCH).timeout(BLOCK));
              if (messages.isEmpty()) return;
              for (var each : messages.values()) {
                handler.accept(Objects.requireNonNull(each.get("v")));
              }
              var unused = stream.ackAsync(NAME, messages.keySet().toArray(StreamMessageId[]::new));
            }
          };
      members.add(member);
      member.start();
    }

    @Override
    public void close() {
      members.forEach(Batches::close);
      client.shutdown();
    }
  }

  /** RReliableTopic, for one member. */
  private static final class OverRedissonTopic implements EventLog {
    private final RedissonClient client;
    private final RReliableTopic topic;

    OverRedissonTopic(String url) {
      client = redisson(url);
      topic = client.getReliableTopic(NAME, org.redisson.client.codec.ByteArrayCodec.INSTANCE);
    }

    @Override
    public CompletionStage<?> append(String key, byte[] payload) {
      return topic.publishAsync(payload);
    }

    @Override
    public void join(Consumer<byte[]> handler) {
      String unused =
          topic.addListener(byte[].class, (channel, payload) -> handler.accept(payload));
    }

    @Override
    public void close() {
      topic.removeAllListeners();
      client.shutdown();
    }
  }

  /** The stream container of Spring Data Redis, with its own connections and threads. */
  private static final class OverSpring implements EventLog {
    private final LettuceConnectionFactory connections;
    private final RedisTemplate<String, byte[]> template = new RedisTemplate<>();
    private final List<StreamMessageListenerContainer<String, MapRecord<String, String, byte[]>>>
        members = new ArrayList<>();

    OverSpring(String url) {
      URI server = URI.create(url);
      connections = new LettuceConnectionFactory(server.getHost(), server.getPort());
      connections.afterPropertiesSet();
      connections.start();
      template.setConnectionFactory(connections);
      template.setKeySerializer(RedisSerializer.string());
      template.setHashKeySerializer(RedisSerializer.string());
      template.setHashValueSerializer(RedisSerializer.byteArray());
      template.afterPropertiesSet();
      template.<String, byte[]>opsForStream().createGroup(NAME, ReadOffset.from("0"), NAME);
    }

    @Override
    public CompletionStage<?> append(String key, byte[] payload) {
      RecordId id = template.<String, byte[]>opsForStream().add(NAME, fields(key, payload));
      return CompletableFuture.completedStage(id);
    }

    @Override
    public void join(Consumer<byte[]> handler) {
      var options =
          StreamMessageListenerContainer.StreamMessageListenerContainerOptions.builder()
              .pollTimeout(BLOCK)
              .batchSize(BATCH)
              .keySerializer(RedisSerializer.string())
              .<String, byte[]>hashKeySerializer(RedisSerializer.string())
              .<String, byte[]>hashValueSerializer(RedisSerializer.byteArray())
              .build();
      var container = StreamMessageListenerContainer.create(connections, options);
      var unused =
          container.receive(
              org.springframework.data.redis.connection.stream.Consumer.from(
                  NAME, "c" + members.size()),
              StreamOffset.create(NAME, ReadOffset.lastConsumed()),
              message -> {
                handler.accept(Objects.requireNonNull(message.getValue().get("v")));
                Long unusedCount =
                    template.<String, byte[]>opsForStream().acknowledge(NAME, message);
              });
      container.start();
      members.add(container);
    }

    @Override
    public void close() {
      members.forEach(StreamMessageListenerContainer::stop);
      connections.destroy();
    }
  }
}
