package dev.kermes.testkit;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A client of a cluster, as far as {@link ClusterClientsTest} uses it. */
interface ClusterClient extends Store, AutoCloseable {

  /** Sets many keys without waiting for each reply. */
  void setAll(Map<String, String> values);

  /** Runs SET {tag}text value and INCR {tag}number in a transaction; returns the replies. */
  List<Object> transaction(String tag, String value);

  /** Begins to receive the messages of a channel. */
  void subscribe(String channel, Consumer<String> receiver) throws Exception;

  /** The same for a shard channel. */
  void subscribeToShard(String channel, Consumer<String> receiver) throws Exception;

  void publish(String channel, String message);

  void publishToShard(String channel, String message);

  @Override
  void close();
}
