package dev.kermes.spring;

import dev.kermes.client.RedisClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The part {@code kermes} of the application's health; off by {@code
 * management.health.kermes.enabled=false}.
 */
@AutoConfiguration(after = KermesClientAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(RedisClient.class)
@ConditionalOnEnabledHealthIndicator("kermes")
public final class KermesHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "kermesHealthIndicator")
  KermesHealthIndicator kermesHealthIndicator(RedisClient client) {
    return new KermesHealthIndicator(client);
  }
}
