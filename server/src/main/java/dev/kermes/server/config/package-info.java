/**
 * The options of redis.conf and CONFIG: their names, values and defaults. Each group of options is
 * a class named {@code …Options} or {@code …Limits}; {@code Settings} has all of them.
 */
@NullMarked
package dev.kermes.server.config;

import org.jspecify.annotations.NullMarked;
