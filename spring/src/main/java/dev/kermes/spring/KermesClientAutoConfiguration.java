package dev.kermes.spring;

import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.micrometer.CommandTimers;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The bean {@link RedisClient}. It talks to {@code kermes.client.url}, or else to the application's
 * own server, or else to that of {@code spring.data.redis}, or else to {@code
 * redis://localhost:6379}.
 */
@AutoConfiguration(
    after = KermesServerAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnBooleanProperty(name = "kermes.client.enabled", matchIfMissing = true)
@EnableConfigurationProperties(KermesClientProperties.class)
public final class KermesClientAutoConfiguration {

  private static final String DEFAULT_URL = "redis://localhost:6379";

  @Bean
  @ConditionalOnMissingBean
  RedisOptions kermesOptions(
      KermesClientProperties properties,
      ObjectProvider<KermesConnectionDetails> details,
      ObjectProvider<RedisOptionsCustomizer> customizers) {
    RedisOptions.Builder options = servers(properties, details);
    PropertyMapper map = PropertyMapper.get();
    map.from(properties::clientName).to(options::clientName);
    map.from(properties::connectTimeout).to(options::connectTimeout);
    map.from(properties::commandTimeout).to(options::commandTimeout);
    customizers.orderedStream().forEach(each -> each.customize(options));
    return options.build();
  }

  private static RedisOptions.Builder servers(
      KermesClientProperties properties, ObjectProvider<KermesConnectionDetails> details) {
    if (properties.url() != null) return RedisOptions.url(properties.url());
    KermesConnectionDetails found = details.getIfAvailable();
    return found == null ? RedisOptions.url(DEFAULT_URL) : found.options();
  }

  /** Does not wait for the server: commands wait in the client until it is there. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  RedisClient kermesClient(RedisOptions options) {
    return RedisClient.open(options);
  }

  /** Reads what Spring Boot knows of the servers of Spring Data Redis. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataRedisConnectionDetails.class)
  static class OfDataRedis {

    @Bean
    @ConditionalOnBean(DataRedisConnectionDetails.class)
    @ConditionalOnMissingBean(KermesConnectionDetails.class)
    KermesConnectionDetails kermesConnectionDetails(DataRedisConnectionDetails details) {
      return () -> DataRedisOptions.of(details);
    }
  }

  /** A timer per command, if there is a registry. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterRegistry.class, CommandTimers.class})
  static class Metrics {

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    RedisOptionsCustomizer kermesMetrics(MeterRegistry registry) {
      return options -> options.observer(new CommandTimers(registry));
    }
  }
}
