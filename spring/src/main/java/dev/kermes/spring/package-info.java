/**
 * Kermes in Spring Boot 4. With {@code kermes.server.enabled=true} the application contains its own
 * Redis, and Spring Data Redis uses it; {@code kermes.client} configures the bean {@link
 * dev.kermes.client.RedisClient}, which by default talks to the server of {@code
 * spring.data.redis}.
 */
@NullMarked
package dev.kermes.spring;

import org.jspecify.annotations.NullMarked;
