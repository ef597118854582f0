package dev.kermes.spring.boot3;

import dev.kermes.server.RedisServer;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import java.net.InetSocketAddress;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Starts a server, a cluster or Sentinel in this JVM, with {@code kermes.server.enabled=true}, and
 * tells Spring Data Redis where it is. It ends after the beans that use it.
 */
@AutoConfiguration(
    beforeName = "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration")
@ConditionalOnBooleanProperty("kermes.server.enabled")
@EnableConfigurationProperties(KermesServerProperties.class)
public final class KermesServerAutoConfiguration {

  KermesServerAutoConfiguration() {}

  /** One server. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(
      name = "kermes.server.mode",
      havingValue = "standalone",
      matchIfMissing = true)
  static class Standalone {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    RedisServer kermesServer(KermesServerProperties properties) {
      RedisServer.Builder builder = RedisServer.builder().port(properties.port());
      properties.options().forEach(builder::option);
      return builder.start();
    }

    @Bean
    @ConditionalOnMissingBean(RedisConnectionDetails.class)
    EmbeddedRedisDetails kermesConnectionDetails(
        RedisServer server, KermesServerProperties properties) {
      InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", server.port());
      return new EmbeddedRedisDetails(properties, List.of(address), "");
    }
  }

  /** A cluster. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "kermes.server.mode", havingValue = "cluster")
  static class Cluster {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    KermesCluster kermesCluster(KermesServerProperties properties) {
      KermesCluster.Builder builder =
          KermesCluster.builder()
              .masters(properties.masters())
              .replicas(properties.replicas())
              .port(properties.port());
      properties.options().forEach(builder::option);
      return builder.start();
    }

    @Bean
    @ConditionalOnMissingBean(RedisConnectionDetails.class)
    EmbeddedRedisDetails kermesConnectionDetails(
        KermesCluster cluster, KermesServerProperties properties) {
      List<InetSocketAddress> nodes =
          cluster.nodes().stream().map(KermesCluster.Node::address).toList();
      return new EmbeddedRedisDetails(properties, nodes, "");
    }
  }

  /** A master, its replicas and sentinels. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "kermes.server.mode", havingValue = "sentinel")
  static class Sentinel {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    KermesSentinel kermesSentinel(KermesServerProperties properties) {
      KermesSentinel.Builder builder =
          KermesSentinel.builder()
              .replicas(properties.replicas())
              .sentinels(properties.sentinels())
              .port(properties.port());
      properties.options().forEach(builder::option);
      return builder.start();
    }

    @Bean
    @ConditionalOnMissingBean(RedisConnectionDetails.class)
    EmbeddedRedisDetails kermesConnectionDetails(
        KermesSentinel sentinel, KermesServerProperties properties) {
      List<InetSocketAddress> nodes =
          sentinel.sentinels().stream().map(KermesSentinel.Node::address).toList();
      return new EmbeddedRedisDetails(properties, nodes, sentinel.masterName());
    }
  }
}
