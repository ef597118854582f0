package dev.kermes.spring;

import dev.kermes.events.RedisEvents;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.support.DelegatingEventExternalizer;

/**
 * Brings the events that Spring Modulith externalizes into durable topics; off by {@code
 * kermes.events.externalization.enabled=false}.
 */
@AutoConfiguration(
    after = {KermesEventsAutoConfiguration.class, EventExternalizationAutoConfiguration.class})
@ConditionalOnClass({DelegatingEventExternalizer.class, RedisEvents.class})
@ConditionalOnBean({RedisEvents.class, EventExternalizationConfiguration.class})
@ConditionalOnBooleanProperty(
    name = {
      "spring.modulith.events.externalization.enabled",
      "kermes.events.externalization.enabled"
    },
    matchIfMissing = true)
public final class KermesModulithAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "kermesEventExternalizer")
  DelegatingEventExternalizer kermesEventExternalizer(
      EventExternalizationConfiguration configuration, RedisEvents events, BeanFactory beans) {
    TopicTransport transport = new TopicTransport(events, configuration, beans);
    return new DelegatingEventExternalizer(configuration, transport::send);
  }
}
