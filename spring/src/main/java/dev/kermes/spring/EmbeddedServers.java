package dev.kermes.spring;

import dev.kermes.client.RedisOptions;
import dev.kermes.spring.KermesServerProperties.Mode;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers are that the application has started.
 *
 * @param url of them all, for our client
 * @param nodes the server, the nodes of the cluster, or the sentinels
 * @param masterName what the sentinels call the master; empty without sentinels
 */
record EmbeddedServers(
    Mode mode,
    String url,
    List<InetSocketAddress> nodes,
    String masterName,
    @Nullable String password)
    implements KermesConnectionDetails {

  @Override
  public RedisOptions.Builder options() {
    return RedisOptions.url(url).password(password);
  }
}
