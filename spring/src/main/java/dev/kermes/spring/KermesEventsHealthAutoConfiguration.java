package dev.kermes.spring;

import dev.kermes.events.RedisEvents;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The part {@code kermesEvents} of the application's health: whether its topics are read; off by
 * {@code management.health.kermes-events.enabled=false}.
 */
@AutoConfiguration(after = KermesEventsAutoConfiguration.class)
@ConditionalOnClass({
  HealthIndicator.class,
  ConditionalOnEnabledHealthIndicator.class,
  RedisEvents.class
})
@ConditionalOnBean(OpenTopics.class)
@ConditionalOnEnabledHealthIndicator("kermes-events")
public final class KermesEventsHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "kermesEventsHealthIndicator")
  HealthIndicator kermesEventsHealthIndicator(OpenTopics topics) {
    return new TopicsHealthIndicator(topics);
  }
}
