package dev.kermes.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import dev.kermes.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.core.RedisHash;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.TimeToLive;
import org.springframework.data.redis.core.index.Indexed;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.repository.configuration.EnableRedisRepositories;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.repository.CrudRepository;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.data.redis.RedisIndexedSessionRepository;

/** An application with its own server, and what people use Spring Data Redis for. */
@SpringBootTest(
    classes = SpringDataRedisTest.Application.class,
    properties = {
      "kermes.server.enabled=true",
      "spring.cache.type=redis",
      // Spring Modulith is on the class path for ModulithTest.
      "spring.autoconfigure.exclude="
          + "org.springframework.modulith.events.config.EventPublicationAutoConfiguration,"
          + "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration,"
          + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"
    })
final class SpringDataRedisTest {

  private static final long WAIT_SECONDS = 20;

  /** An entity with a secondary index. */
  @RedisHash("person")
  static final class Person {
    @Id String id;
    @Indexed String city;
    @TimeToLive Long seconds;

    Person(String id, String city, Long seconds) {
      this.id = id;
      this.city = city;
      this.seconds = seconds;
    }
  }

  /** Its repository. */
  interface People extends CrudRepository<Person, String> {
    List<Person> findByCity(String city);
  }

  /** A service whose results are cached. */
  static class Squares {
    private final AtomicInteger computed = new AtomicInteger();

    @Cacheable("squares")
    public int of(int number) {
      computed.incrementAndGet();
      return number * number;
    }

    public int computed() {
      return computed.get();
    }
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableCaching
  @EnableRedisRepositories(considerNestedRepositories = true)
  static class Application {

    @Bean
    Squares squares() {
      return new Squares();
    }

    @Bean
    RedisMessageListenerContainer listeners(RedisConnectionFactory connections) {
      RedisMessageListenerContainer container = new RedisMessageListenerContainer();
      container.setConnectionFactory(connections);
      return container;
    }
  }

  @Autowired RedisServer server;
  @Autowired RedisClient client;
  @Autowired StringRedisTemplate template;
  @Autowired RedisTemplate<Object, Object> objects;
  @Autowired RedisConnectionFactory connections;
  @Autowired RedisMessageListenerContainer listeners;
  @Autowired People people;
  @Autowired Squares squares;

  @Test
  void templateAndOurClient_shareTheServer() {
    template.opsForValue().set("greeting", "hello");
    assertThat(client.blocking().get("greeting")).isEqualTo("hello");
    assertThat(server.isClosed()).isFalse();
  }

  @Test
  void repository_savesFindsByIndexAndDeletes() {
    people.saveAll(
        List.of(
            new Person("1", "Bern", 1000L),
            new Person("2", "Bern", 1000L),
            new Person("3", "Oslo", 1000L)));
    assertThat(people.findByCity("Bern")).hasSize(2);
    assertThat(template.getExpire("person:1")).isBetween(900L, 1000L);
    people.deleteById("1");
    assertThat(people.findByCity("Bern")).hasSize(1);
    assertThat(people.count()).isEqualTo(2);
  }

  @Test
  void cache_computesOnce() throws Exception {
    assertThat(squares.of(7)).isEqualTo(49);
    awaitKey("squares::7"); // Spring Data Redis does not wait for the reply of its SET
    assertThat(squares.of(7)).isEqualTo(49);
    assertThat(squares.computed()).isEqualTo(1);
  }

  private void awaitKey(String key) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!template.hasKey(key) && System.nanoTime() < end) Thread.sleep(10);
    assertThat(template.hasKey(key)).isTrue();
  }

  @Test
  void session_isStoredAndFoundByItsUser() {
    RedisIndexedSessionRepository sessions = new RedisIndexedSessionRepository(sessionTemplate());
    var session = sessions.createSession();
    session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, "ann");
    session.setMaxInactiveInterval(Duration.ofMinutes(5));
    sessions.save(session);
    assertThat(sessions.findById(session.getId())).isNotNull();
    assertThat(sessions.findByPrincipalName("ann")).containsKey(session.getId());
    sessions.deleteById(session.getId());
    assertThat(sessions.findById(session.getId())).isNull();
  }

  private RedisTemplate<String, Object> sessionTemplate() {
    RedisTemplate<String, Object> sessions = new RedisTemplate<>();
    sessions.setConnectionFactory(connections);
    sessions.setKeySerializer(template.getKeySerializer());
    sessions.setHashKeySerializer(template.getHashKeySerializer());
    sessions.afterPropertiesSet();
    return sessions;
  }

  @Test
  void listenerContainer_getsMessages() throws Exception {
    BlockingQueue<String> received = new ArrayBlockingQueue<>(10);
    listeners.addMessageListener(
        (message, pattern) -> received.add(new String(message.getBody(), UTF_8)),
        new ChannelTopic("news"));
    assertThat(template.convertAndSend("news", "first")).isEqualTo(1);
    assertThat(received.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("first");
  }

  @Test
  void streamContainer_getsRecordsOfAGroup() throws Exception {
    template.opsForStream().createGroup("orders", ReadOffset.from("0"), "billing");
    BlockingQueue<MapRecord<String, String, String>> received = new ArrayBlockingQueue<>(10);
    var options =
        StreamMessageListenerContainer.StreamMessageListenerContainerOptions.builder()
            .pollTimeout(Duration.ofMillis(100))
            .build();
    var container = StreamMessageListenerContainer.create(connections, options);
    container.receiveAutoAck(
        Consumer.from("billing", "one"),
        StreamOffset.create("orders", ReadOffset.lastConsumed()),
        received::add);
    container.start();
    template.opsForStream().add("orders", Map.of("id", "17"));
    MapRecord<String, String, String> record = received.poll(WAIT_SECONDS, TimeUnit.SECONDS);
    container.stop();
    assertThat(record).isNotNull();
    assertThat(record.getValue()).containsEntry("id", "17");
  }
}
