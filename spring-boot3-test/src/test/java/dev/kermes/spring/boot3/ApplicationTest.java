package dev.kermes.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A whole application, by {@code @SpringBootTest}. */
@SpringBootTest(properties = "kermes.server.enabled=true")
final class ApplicationTest {

  /** An application with Spring Data Redis. */
  @SpringBootApplication
  static class Application {}

  @Autowired StringRedisTemplate redis;
  @Autowired RedisServer server;

  @Test
  void template_usesTheServerInTheContext() {
    redis.opsForValue().set("greeting", "hello");
    assertThat(redis.opsForValue().get("greeting")).isEqualTo("hello");
    assertThat(server.info("keyspace")).contains("db0:keys=1,");
  }
}
