package dev.kermes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.Deployment;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.micrometer.CommandTimers;
import dev.kermes.server.RedisServer;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Which beans there are, by properties and by what is on the class path. */
final class AutoConfigurationTest {

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  DataRedisAutoConfiguration.class,
                  KermesServerAutoConfiguration.class,
                  KermesClientAutoConfiguration.class,
                  KermesHealthAutoConfiguration.class));

  /** An application that counts commands. */
  @Configuration(proxyBeanMethods = false)
  static class WithRegistry {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  /** An application that changes an option. */
  @Configuration(proxyBeanMethods = false)
  static class WithCustomizer {
    @Bean
    RedisOptionsCustomizer queue() {
      return options -> options.queueMax(17).clientName("customized");
    }
  }

  private static void assertBothClientsWork(ApplicationContext context) {
    context.getBean(StringRedisTemplate.class).opsForValue().set("key", "value");
    RedisClient client = context.getBean(RedisClient.class);
    assertThat(client.blocking().get("key")).isEqualTo("value");
  }

  @Test
  void server_notAskedFor_isNotThere() {
    runner.run(context -> {
      assertThat(context).doesNotHaveBean(RedisServer.class);
      assertThat(context).hasSingleBean(RedisClient.class);
    });
  }

  @Test
  void server_enabled_servesSpringDataAndOurClient_andEndsWithTheContext() {
    RedisServer[] server = new RedisServer[1];
    runner
        .withPropertyValues(
            "kermes.server.enabled=true", "kermes.server.options.maxmemory-policy=allkeys-lru")
        .run(context -> {
          server[0] = context.getBean(RedisServer.class);
          assertBothClientsWork(context);
          RedisClient client = context.getBean(RedisClient.class);
          assertThat(client.blocking().configGet("maxmemory-policy"))
              .containsEntry("maxmemory-policy", "allkeys-lru");
        });
    assertThat(server[0].isClosed()).isTrue();
  }

  @Test
  void server_withPassword_isKnownToBothClients() {
    runner
        .withPropertyValues(
            "kermes.server.enabled=true", "kermes.server.options.requirepass=secret")
        .run(AutoConfigurationTest::assertBothClientsWork);
  }

  @Test
  void server_badOption_isNamed() {
    runner
        .withPropertyValues("kermes.server.enabled=true", "kermes.server.options.nosuch=1")
        .run(
            context -> assertThat(context).getFailure().rootCause().hasMessageContaining("nosuch"));
  }

  @Test
  void cluster_servesSpringDataAndOurClient() {
    runner
        .withPropertyValues("kermes.server.enabled=true", "kermes.server.mode=cluster")
        .run(context -> {
          assertThat(context.getBean(KermesCluster.class).nodes()).hasSize(6);
          assertThat(context.getBean(DataRedisConnectionDetails.class).getCluster()).isNotNull();
          assertBothClientsWork(context);
        });
  }

  @Test
  void sentinel_servesSpringDataAndOurClient() {
    runner
        .withPropertyValues(
            "kermes.server.enabled=true", "kermes.server.mode=sentinel", "kermes.server.replicas=2")
        .run(context -> {
          assertThat(context.getBean(KermesSentinel.class).replicas()).hasSize(2);
          assertThat(context.getBean(DataRedisConnectionDetails.class).getSentinel()).isNotNull();
          assertBothClientsWork(context);
        });
  }

  @Test
  void cluster_withoutTestKit_saysWhatIsMissing() {
    runner
        .withClassLoader(new FilteredClassLoader("dev.kermes.testkit"))
        .withPropertyValues("kermes.server.enabled=true", "kermes.server.mode=cluster")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessage(
                    "kermes.server.mode=CLUSTER needs dev.kermes:kermes-testkit on the class"
                        + " path"));
  }

  @Test
  void client_takesTheServerOfSpringData() {
    runner
        .withPropertyValues(
            "spring.data.redis.url=redis://ann:secret@host.example:7000/3",
            "kermes.client.client-name=orders",
            "kermes.client.command-timeout=1500ms")
        .run(context -> {
          RedisOptions options = context.getBean(RedisOptions.class);
          assertThat(options.address())
              .isEqualTo(InetSocketAddress.createUnresolved("host.example", 7000));
          assertThat(options.user()).isEqualTo("ann");
          assertThat(options.password()).isEqualTo("secret");
          assertThat(options.database()).isEqualTo(3);
          assertThat(options.clientName()).isEqualTo("orders");
          assertThat(options.commandTimeout()).isEqualTo(Duration.ofMillis(1500));
          assertThat(options.usesTls()).isFalse();
        });
  }

  @Test
  void client_takesClusterSentinelAndTlsOfSpringData() {
    runner
        .withPropertyValues(
            "spring.data.redis.cluster.nodes=a:1,b:2", "spring.data.redis.ssl.enabled=true")
        .run(context -> {
          RedisOptions options = context.getBean(RedisOptions.class);
          assertThat(options.deployment()).isInstanceOf(Deployment.Cluster.class);
          assertThat(options.usesTls()).isTrue();
        });
    runner
        .withPropertyValues(
            "spring.data.redis.sentinel.master=m",
            "spring.data.redis.sentinel.nodes=a:1,b:2",
            "spring.data.redis.sentinel.password=p")
        .run(context ->
            assertThat(context.getBean(RedisOptions.class).deployment())
                .isInstanceOf(Deployment.Sentinel.class));
  }

  @Test
  void client_ownUrl_comesFirst() {
    runner
        .withPropertyValues(
            "kermes.server.enabled=true", "kermes.client.url=redis://other.example:6380")
        .run(context ->
            assertThat(context.getBean(RedisOptions.class).address())
                .isEqualTo(InetSocketAddress.createUnresolved("other.example", 6380)));
  }

  @Test
  void client_withoutSpringDataRedis_works() {
    runner
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.data.redis", "org.springframework.boot.data.redis"))
        .withPropertyValues("kermes.server.enabled=true")
        .run(context ->
            assertThat(context.getBean(RedisClient.class).blocking().ping()).isEqualTo("PONG"));
  }

  @Test
  void client_switchedOff_isNotThere() {
    runner
        .withPropertyValues("kermes.client.enabled=false")
        .run(context -> {
          assertThat(context).hasNotFailed().doesNotHaveBean(RedisClient.class);
          assertThat(context).doesNotHaveBean(KermesHealthIndicator.class);
        });
  }

  @Test
  void customizers_changeOptions() {
    runner
        .withUserConfiguration(WithCustomizer.class)
        .withPropertyValues("kermes.client.client-name=orders")
        .run(context -> {
          RedisOptions options = context.getBean(RedisOptions.class);
          assertThat(options.queueMax()).isEqualTo(17);
          assertThat(options.clientName()).isEqualTo("customized");
        });
  }

  @Test
  void metrics_countCommands() {
    runner
        .withUserConfiguration(WithRegistry.class)
        .withPropertyValues("kermes.server.enabled=true")
        .run(context -> {
          context.getBean(RedisClient.class).blocking().ping();
          assertThat(
                  context
                      .getBean(MeterRegistry.class)
                      .get(CommandTimers.NAME)
                      .tag("db.operation.name", "PING")
                      .timer()
                      .count())
              .isEqualTo(1);
        });
  }

  @Test
  void health_isUpWhileTheServerAnswers() {
    runner
        .withPropertyValues("kermes.server.enabled=true", "kermes.client.command-timeout=2s")
        .run(context -> {
          KermesHealthIndicator indicator = context.getBean(KermesHealthIndicator.class);
          Health up = indicator.health();
          assertThat(up.getStatus()).isEqualTo(Status.UP);
          assertThat(up.getDetails())
              .containsEntry("version", RedisServer.REDIS_VERSION)
              .containsEntry("role", "master");
          context.getBean(RedisServer.class).close();
          assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        });
  }

  @Test
  void health_switchedOff_isNotThere() {
    runner
        .withPropertyValues("management.health.kermes.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(KermesHealthIndicator.class));
  }
}
