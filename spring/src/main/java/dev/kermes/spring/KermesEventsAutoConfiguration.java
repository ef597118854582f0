package dev.kermes.spring;

import dev.kermes.client.RedisClient;
import dev.kermes.events.Parking;
import dev.kermes.events.PayloadCodec;
import dev.kermes.events.RedisEvents;
import dev.kermes.reactor.Reactor;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * The bean {@link RedisEvents}, whose topics the {@code @On} methods of beans handle. The topics of
 * {@code kermes.events.topics} are read from when all beans exist until the application ends, after
 * its HTTP servers and before its reactor.
 */
@AutoConfiguration(
    after = {KermesClientAutoConfiguration.class, KermesReactorAutoConfiguration.class})
@ConditionalOnClass({RedisEvents.class, Reactor.class})
@ConditionalOnBean({RedisClient.class, Reactor.class})
@ConditionalOnBooleanProperty(name = "kermes.events.enabled", matchIfMissing = true)
@EnableConfigurationProperties(KermesEventsProperties.class)
public final class KermesEventsAutoConfiguration {

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  RedisEvents kermesEvents(
      RedisClient client,
      Reactor reactor,
      KermesEventsProperties properties,
      ObjectProvider<PayloadCodec> payloads,
      ObjectProvider<RedisEventsCustomizer> customizers) {
    RedisEvents.Builder events = RedisEvents.of(client, reactor);
    PropertyMapper map = PropertyMapper.get();
    map.from(properties::group).to(events::group);
    map.from(properties::member).to(events::member);
    map.from(properties::partitions).to(events::partitions);
    map.from(properties::lease).to(events::lease);
    map.from(properties::window).to(events::window);
    map.from(properties::retention).to(events::retention);
    map.from(properties::parking).as(Parking::upTo).to(events::parking);
    payloads.ifUnique(events::payloads);
    customizers.orderedStream().forEach(each -> each.customize(events));
    return events.open();
  }

  @Bean
  @ConditionalOnSingleCandidate(RedisEvents.class)
  OpenTopics kermesTopics(RedisEvents events, KermesEventsProperties properties) {
    return new OpenTopics(events, properties);
  }

  /** Reads no further events, and lets handlers end for as long as a phase of the shutdown. */
  @Bean
  @ConditionalOnBean(OpenTopics.class)
  DrainingLifecycle kermesEventsLifecycle(
      RedisEvents events, OpenTopics topics, Environment environment) {
    Duration timeout = DrainingLifecycle.timeout(environment);
    return new DrainingLifecycle(
        DrainingLifecycle.EVENTS_PHASE, topics::open, () -> events.close(timeout));
  }
}
