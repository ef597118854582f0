package dev.kermes.spring;

import dev.kermes.client.RedisOptions;
import java.net.InetSocketAddress;
import java.util.List;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;

/** Translates the connection details of Spring Data Redis into our options. */
final class DataRedisOptions {

  private DataRedisOptions() {}

  /** Spring Boot asks for Sentinel first, then for a cluster, then for one server. */
  static RedisOptions.Builder of(DataRedisConnectionDetails details) {
    RedisOptions.Builder options = servers(details);
    options.user(details.getUsername()).password(details.getPassword());
    SslBundle bundle = details.getSslBundle();
    return bundle == null ? options : options.tls(bundle.createSslContext());
  }

  private static RedisOptions.Builder servers(DataRedisConnectionDetails details) {
    Sentinel sentinel = details.getSentinel();
    if (sentinel != null) return ofSentinel(sentinel);
    Cluster cluster = details.getCluster();
    if (cluster != null) return RedisOptions.cluster(addresses(cluster.getNodes()));
    Standalone server = details.getStandalone();
    if (server == null) {
      throw new IllegalStateException("no server in the connection details: " + details);
    }
    return RedisOptions.address(address(server.getHost(), server.getPort()))
        .database(server.getDatabase());
  }

  private static RedisOptions.Builder ofSentinel(Sentinel sentinel) {
    RedisOptions.Builder options =
        RedisOptions.sentinel(sentinel.getMaster(), addresses(sentinel.getNodes()))
            .database(sentinel.getDatabase());
    String password = sentinel.getPassword();
    if (password != null) options.sentinelCredentials(sentinel.getUsername(), password);
    return options;
  }

  private static List<InetSocketAddress> addresses(List<Node> nodes) {
    return nodes.stream().map(node -> address(node.host(), node.port())).toList();
  }

  private static InetSocketAddress address(String host, int port) {
    return InetSocketAddress.createUnresolved(host, port);
  }
}
