package dev.kermes.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Contexts of Spring Boot 3.5 with servers of their own, which Spring Data Redis uses. */
final class KermesServerAutoConfigurationTest {

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KermesServerAutoConfiguration.class, RedisAutoConfiguration.class));

  private final ApplicationContextRunner enabled =
      runner.withPropertyValues("kermes.server.enabled=true");

  private static void assertTemplateWorks(AssertableApplicationContext context) {
    StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
    template.opsForValue().set("key", "value");
    assertThat(template.opsForValue().get("key")).isEqualTo("value");
  }

  @Test
  void theseTests_haveSpringBoot3() {
    assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
  }

  @Test
  void server_notAskedFor_isNotThere() {
    runner.run(context -> {
      assertThat(context).doesNotHaveBean(RedisServer.class);
      assertThat(context).doesNotHaveBean(EmbeddedRedisDetails.class);
    });
  }

  @Test
  void server_enabled_servesSpringData_andEndsWithTheContext() {
    RedisServer[] server = new RedisServer[1];
    enabled
        .withPropertyValues("kermes.server.options.maxmemory-policy=allkeys-lru")
        .run(context -> {
          server[0] = context.getBean(RedisServer.class);
          assertTemplateWorks(context);
          assertThat(server[0].info("memory")).contains("maxmemory_policy:allkeys-lru");
        });
    assertThat(server[0].isClosed()).isTrue();
  }

  @Test
  void server_withPassword_isKnownToSpringData() {
    enabled
        .withPropertyValues("kermes.server.options.requirepass=secret")
        .run(KermesServerAutoConfigurationTest::assertTemplateWorks);
  }

  /** A server that is not ours. */
  private static final class Elsewhere implements RedisConnectionDetails {
    @Override
    public Standalone getStandalone() {
      return Standalone.of("host.example", 7000);
    }
  }

  @Test
  void details_ofTheTest_takeThePlaceOfOurs() {
    enabled
        .withBean(RedisConnectionDetails.class, Elsewhere::new)
        .run(context -> assertThat(context).doesNotHaveBean(EmbeddedRedisDetails.class));
  }

  @Test
  void cluster_servesSpringData() {
    enabled
        .withPropertyValues("kermes.server.mode=cluster")
        .run(context -> {
          assertThat(context.getBean(KermesCluster.class).nodes()).hasSize(6);
          assertThat(context.getBean(RedisConnectionDetails.class).getCluster()).isNotNull();
          assertTemplateWorks(context);
        });
  }

  @Test
  void sentinel_servesSpringData() {
    enabled
        .withPropertyValues("kermes.server.mode=sentinel", "kermes.server.replicas=2")
        .run(context -> {
          assertThat(context.getBean(KermesSentinel.class).replicas()).hasSize(2);
          assertThat(context.getBean(RedisConnectionDetails.class).getSentinel()).isNotNull();
          assertTemplateWorks(context);
        });
  }
}
