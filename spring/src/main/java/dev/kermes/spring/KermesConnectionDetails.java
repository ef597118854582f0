package dev.kermes.spring;

import dev.kermes.client.RedisOptions;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The servers that the client talks to. A bean of this type takes the place of the embedded server
 * and of {@code spring.data.redis}.
 */
@FunctionalInterface
public interface KermesConnectionDetails extends ConnectionDetails {

  /** A new builder with the addresses, credentials and TLS. */
  RedisOptions.Builder options();
}
