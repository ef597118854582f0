/**
 * Redis in tests of Spring Boot 3.5: with {@code kermes.server.enabled=true} the application's
 * context contains a server, a cluster or Sentinel, and Spring Data Redis uses it.
 */
@NullMarked
package dev.kermes.spring.boot3;

import org.jspecify.annotations.NullMarked;
