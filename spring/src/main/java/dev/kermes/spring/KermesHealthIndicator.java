package dev.kermes.spring;

import dev.kermes.client.RedisClient;
import java.io.StringReader;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up as long as the server answers INFO within five seconds; tells its version and role. */
public final class KermesHealthIndicator extends AbstractHealthIndicator {

  private static final int TIMEOUT_SECONDS = 5;

  private final RedisClient client;

  /** An indicator for the servers of a client. */
  public KermesHealthIndicator(RedisClient client) {
    super("the server does not answer");
    this.client = client;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) throws Exception {
    Properties info = new Properties();
    info.load(
        new StringReader(
            client.async().info("server", "replication").get(TIMEOUT_SECONDS, TimeUnit.SECONDS)));
    builder
        .up()
        .withDetail("version", info.getProperty("redis_version", ""))
        .withDetail("role", info.getProperty("role", ""));
  }
}
