/** Servers in one JVM that belong together, in a cluster or watched by sentinels. */
@NullMarked
package dev.kermes.server.node;

import org.jspecify.annotations.NullMarked;
