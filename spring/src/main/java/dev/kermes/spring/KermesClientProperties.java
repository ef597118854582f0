package dev.kermes.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code kermes.client}.
 *
 * @param enabled whether there is a client
 * @param url the server, for instance "redis://user:password@host:6379/0"; overrides every other
 *     source
 * @param clientName the name that CLIENT LIST shows
 * @param connectTimeout the time that a connection may take
 * @param commandTimeout the time that a command may take
 */
@ConfigurationProperties("kermes.client")
public record KermesClientProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String url,
    @Nullable String clientName,
    @Nullable Duration connectTimeout,
    @Nullable Duration commandTimeout) {}
