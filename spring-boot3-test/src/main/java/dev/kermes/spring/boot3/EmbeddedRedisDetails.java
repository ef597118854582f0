package dev.kermes.spring.boot3;

import dev.kermes.spring.boot3.KermesServerProperties.Mode;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;

/** The servers in the context, for Spring Data Redis. Sentinels ask for no password. */
final class EmbeddedRedisDetails implements RedisConnectionDetails {

  private final KermesServerProperties properties;
  private final List<Node> nodes;
  private final String masterName;

  /**
   * The servers of the mode of the properties.
   *
   * @param addresses of the server, of the nodes of the cluster, or of the sentinels
   * @param masterName what the sentinels call the master; empty without sentinels
   */
  EmbeddedRedisDetails(
      KermesServerProperties properties, List<InetSocketAddress> addresses, String masterName) {
    this.properties = properties;
    this.masterName = masterName;
    nodes = addresses.stream().map(each -> new Node(each.getHostString(), each.getPort())).toList();
  }

  @Override
  public @Nullable String getPassword() {
    return properties.password();
  }

  @Override
  public @Nullable Standalone getStandalone() {
    if (properties.mode() != Mode.STANDALONE) return null;
    return Standalone.of(nodes.getFirst().host(), nodes.getFirst().port());
  }

  @Override
  public @Nullable Cluster getCluster() {
    return properties.mode() == Mode.CLUSTER ? () -> nodes : null;
  }

  @Override
  public @Nullable Sentinel getSentinel() {
    return properties.mode() == Mode.SENTINEL ? new EmbeddedSentinel() : null;
  }

  private final class EmbeddedSentinel implements Sentinel {

    @Override
    public int getDatabase() {
      return 0;
    }

    @Override
    public String getMaster() {
      return masterName;
    }

    @Override
    public List<Node> getNodes() {
      return nodes;
    }

    @Override
    public @Nullable String getUsername() {
      return null;
    }

    @Override
    public @Nullable String getPassword() {
      return null;
    }
  }
}
