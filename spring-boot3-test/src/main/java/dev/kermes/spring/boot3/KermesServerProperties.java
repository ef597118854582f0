package dev.kermes.spring.boot3;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code kermes.server}, which are those of kermes-spring-boot for Spring Boot 4.
 *
 * @param enabled whether the context has a server of its own, which Spring Data Redis uses
 * @param mode one server, a cluster or Sentinel
 * @param port the port; 0 takes a free one; a cluster's nodes have the ports from this one on
 * @param masters the number of masters of a cluster
 * @param replicas the number of replicas of each master
 * @param sentinels the number of sentinels
 * @param options options as in redis.conf, for instance "maxmemory"
 */
@ConfigurationProperties("kermes.server")
public record KermesServerProperties(
    boolean enabled,
    @DefaultValue("standalone") Mode mode,
    int port,
    @DefaultValue("3") int masters,
    @DefaultValue("1") int replicas,
    @DefaultValue("3") int sentinels,
    @DefaultValue Map<String, String> options) {

  /** The kinds of deployment. */
  public enum Mode {
    /** One server. */
    STANDALONE,
    /** Masters and replicas with slots. */
    CLUSTER,
    /** A master, replicas and sentinels. */
    SENTINEL
  }

  /** The password of the default user, if the options set one. */
  @Nullable String password() {
    return options.get("requirepass");
  }
}
