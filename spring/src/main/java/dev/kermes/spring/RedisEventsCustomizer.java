package dev.kermes.spring;

import dev.kermes.events.RedisEvents;

/** Changes options of the durable topics; any number of beans, in their order. */
@FunctionalInterface
public interface RedisEventsCustomizer {

  /** Changes the options, which the properties have set. */
  void customize(RedisEvents.Builder events);
}
