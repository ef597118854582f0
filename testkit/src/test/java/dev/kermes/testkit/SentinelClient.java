package dev.kermes.testkit;

import java.util.Map;
import java.util.function.Consumer;

/** A client of a master that sentinels watch, as far as {@link SentinelClientsTest} uses it. */
interface SentinelClient extends Store, AutoCloseable {

  /** Sets many keys without waiting for each reply. */
  void setAll(Map<String, String> values);

  /** Begins to receive the messages of a channel. */
  void subscribe(String channel, Consumer<String> receiver) throws Exception;

  void publish(String channel, String message);

  @Override
  void close();
}
