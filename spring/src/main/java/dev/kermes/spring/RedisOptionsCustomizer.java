package dev.kermes.spring;

import dev.kermes.client.RedisOptions;

/** Changes the client's options, after the properties; any number of beans, in their order. */
@FunctionalInterface
public interface RedisOptionsCustomizer {

  /** Changes the builder. */
  void customize(RedisOptions.Builder options);
}
