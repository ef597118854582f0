package dev.kermes.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;

/** Redisson, with a cluster or with sentinels. */
final class RedissonStore implements ClusterClient, SentinelClient {

  /** It finds out about changes by asking. */
  private static final int SCAN_MILLIS = 200;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final RedissonClient redisson;

  private RedissonStore(Config config) {
    redisson = Redisson.create(config.setCodec(StringCodec.INSTANCE));
  }

  static RedissonStore open(KermesCluster cluster) {
    Config config = new Config();
    config
        .useClusterServers()
        .addNodeAddress(cluster.node(0).url())
        .setScanInterval(SCAN_MILLIS)
        .setReadMode(ReadMode.MASTER);
    return new RedissonStore(config);
  }

  static RedissonStore open(String masterName, Set<String> sentinels) {
    Config config = new Config();
    config
        .useSentinelServers()
        .setMasterName(masterName)
        .setCheckSentinelsList(false) // one is enough
        .addSentinelAddress(
            sentinels.stream().map(each -> "redis://" + each).toArray(String[]::new))
        .setScanInterval(SCAN_MILLIS)
        .setReadMode(ReadMode.MASTER);
    return new RedissonStore(config);
  }

  @Override
  public void set(String key, String value) {
    redisson.getBucket(key).set(value);
  }

  @Override
  public boolean setReplicated(String key, String value) {
    RBatch batch = redisson.createBatch(BatchOptions.defaults().sync(1, PATIENCE));
    RFuture<Void> unused = batch.getBucket(key).setAsync(value);
    return batch.execute().getSyncedSlaves() >= 1;
  }

  @Override
  public @Nullable String get(String key) {
    return redisson.<String>getBucket(key).get();
  }

  @Override
  public void setAll(Map<String, String> values) {
    RBatch batch = redisson.createBatch();
    values.forEach((key, value) -> {
      RFuture<Void> unused = batch.getBucket(key).setAsync(value);
    });
    if (batch.execute().getResponses().size() != values.size()) {
      throw new AssertionError("replies are missing");
    }
  }

  @Override
  public List<Object> transaction(String tag, String value) {
    BatchOptions atomic =
        BatchOptions.defaults().executionMode(BatchOptions.ExecutionMode.REDIS_WRITE_ATOMIC);
    RBatch batch = redisson.createBatch(atomic);
    RFuture<Void> unused = batch.getBucket("{" + tag + "}text").setAsync(value);
    RFuture<Long> number = batch.getAtomicLong("{" + tag + "}number").incrementAndGetAsync();
    batch.execute();
    return List.of("OK", number.toCompletableFuture().join()); // SET has no result there
  }

  @Override
  public void subscribe(String channel, Consumer<String> receiver) {
    redisson.getTopic(channel).addListener(String.class, (name, text) -> receiver.accept(text));
  }

  @Override
  public void subscribeToShard(String channel, Consumer<String> receiver) {
    redisson
        .getShardedTopic(channel)
        .addListener(String.class, (name, text) -> receiver.accept(text));
  }

  @Override
  public void publish(String channel, String message) {
    redisson.getTopic(channel).publish(message);
  }

  @Override
  public void publishToShard(String channel, String message) {
    redisson.getShardedTopic(channel).publish(message);
  }

  @Override
  public void close() {
    redisson.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
