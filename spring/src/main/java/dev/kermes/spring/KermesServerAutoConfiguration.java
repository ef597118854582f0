package dev.kermes.spring;

import dev.kermes.server.RedisServer;
import dev.kermes.spring.KermesServerProperties.Mode;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import java.net.InetSocketAddress;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/**
 * Starts a server, a cluster or Sentinel in this JVM, with {@code kermes.server.enabled=true}. It
 * ends after the beans that use it.
 */
@AutoConfiguration(
    beforeName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnBooleanProperty("kermes.server.enabled")
@EnableConfigurationProperties(KermesServerProperties.class)
public final class KermesServerAutoConfiguration {

  private static final String SERVER = "dev.kermes.server.RedisServer";
  private static final String CLUSTER = "dev.kermes.testkit.KermesCluster";

  KermesServerAutoConfiguration(KermesServerProperties properties) {
    require(SERVER, "kermes.server.enabled", "kermes-server");
    if (properties.mode() != Mode.STANDALONE) {
      require(CLUSTER, "kermes.server.mode=" + properties.mode(), "kermes-testkit");
    }
  }

  private static void require(String type, String property, String artifact) {
    if (!ClassUtils.isPresent(type, null)) {
      throw new IllegalStateException(
          property + " needs dev.kermes:" + artifact + " on the class path");
    }
  }

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
    EmbeddedServers kermesServers(RedisServer server, KermesServerProperties properties) {
      InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", server.port());
      return new EmbeddedServers(
          properties.mode(), server.url(), List.of(address), "", properties.password());
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
    EmbeddedServers kermesServers(KermesCluster cluster, KermesServerProperties properties) {
      List<InetSocketAddress> nodes =
          cluster.nodes().stream().map(KermesCluster.Node::address).toList();
      return new EmbeddedServers(
          properties.mode(), cluster.url(), nodes, "", properties.password());
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
    EmbeddedServers kermesServers(KermesSentinel sentinel, KermesServerProperties properties) {
      List<InetSocketAddress> nodes =
          sentinel.sentinels().stream().map(KermesSentinel.Node::address).toList();
      return new EmbeddedServers(
          properties.mode(), sentinel.url(), nodes, sentinel.masterName(), properties.password());
    }
  }

  /** Tells Spring Data Redis where the servers are. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataRedisConnectionDetails.class)
  static class DataRedis {

    @Bean
    @ConditionalOnMissingBean(DataRedisConnectionDetails.class)
    EmbeddedDataRedisDetails kermesDataRedisConnectionDetails(EmbeddedServers servers) {
      return new EmbeddedDataRedisDetails(servers);
    }
  }
}
