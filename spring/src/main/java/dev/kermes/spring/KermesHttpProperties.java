package dev.kermes.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code kermes.http}.
 *
 * @param enabled whether the application has an HTTP server of Kermes
 * @param port the port; 0 takes a free one
 * @param host the address to listen on; "0.0.0.0" for all
 */
@ConfigurationProperties("kermes.http")
public record KermesHttpProperties(
    boolean enabled, @DefaultValue("8080") int port, @DefaultValue("127.0.0.1") String host) {}
