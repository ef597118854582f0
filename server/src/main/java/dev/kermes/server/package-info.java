/** The Redis-compatible server. */
@NullMarked
package dev.kermes.server;

import org.jspecify.annotations.NullMarked;
