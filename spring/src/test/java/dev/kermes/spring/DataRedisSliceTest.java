package dev.kermes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.redis.test.autoconfigure.DataRedisTest;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A test of the slice of Spring Data Redis, without Docker. */
@DataRedisTest(properties = "kermes.server.enabled=true")
final class DataRedisSliceTest {

  /** The application of the slice. */
  @SpringBootApplication
  static class Application {}

  @Autowired StringRedisTemplate template;

  @Test
  void template_usesTheEmbeddedServer() {
    template.opsForValue().set("a", "1");
    assertThat(template.opsForValue().get("a")).isEqualTo("1");
    assertThat(
            template.execute(
                (org.springframework.data.redis.core.RedisCallback<String>)
                    each -> each.serverCommands().info("server").getProperty("kermes_version")))
        .isNotNull();
  }
}
