package dev.kermes.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.autoconfigure.data.redis.DataRedisTest;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A test of the slice of Spring Data Redis, without Docker. */
@DataRedisTest(properties = "kermes.server.enabled=true")
final class DataRedisSliceTest {

  /** The application of the slice. */
  @SpringBootApplication
  static class Application {}

  @Autowired StringRedisTemplate template;
  @Autowired RedisServer server;

  @Test
  void template_usesTheServerInTheContext() {
    template.opsForValue().set("a", "1");
    assertThat(template.opsForValue().get("a")).isEqualTo("1");
    assertThat(server.info("keyspace")).contains("db0:keys=1,");
  }
}
