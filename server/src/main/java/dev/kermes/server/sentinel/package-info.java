/** The state that the sentinels in one JVM share: what they watch, and failover. */
@NullMarked
package dev.kermes.server.sentinel;

import org.jspecify.annotations.NullMarked;
