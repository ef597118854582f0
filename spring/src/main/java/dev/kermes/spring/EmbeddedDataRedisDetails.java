package dev.kermes.spring;

import dev.kermes.spring.KermesServerProperties.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/** The application's own servers, for Spring Data Redis. */
final class EmbeddedDataRedisDetails implements DataRedisConnectionDetails {

  private final EmbeddedServers servers;

  EmbeddedDataRedisDetails(EmbeddedServers servers) {
    this.servers = servers;
  }

  private List<Node> nodes() {
    return servers.nodes().stream()
        .map(each -> new Node(each.getHostString(), each.getPort()))
        .toList();
  }

  @Override
  public @Nullable String getPassword() {
    return servers.password();
  }

  @Override
  public @Nullable Standalone getStandalone() {
    if (servers.mode() != Mode.STANDALONE) return null;
    Node node = nodes().get(0);
    return Standalone.of(node.host(), node.port());
  }

  @Override
  public @Nullable Cluster getCluster() {
    if (servers.mode() != Mode.CLUSTER) return null;
    return this::nodes;
  }

  @Override
  public @Nullable Sentinel getSentinel() {
    return servers.mode() == Mode.SENTINEL ? new EmbeddedSentinel() : null;
  }

  private final class EmbeddedSentinel implements Sentinel {

    @Override
    public int getDatabase() {
      return 0;
    }

    @Override
    public String getMaster() {
      return servers.masterName();
    }

    @Override
    public List<Node> getNodes() {
      return nodes();
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
