/** The state that the servers of a cluster in one JVM share: nodes, and the owners of slots. */
@NullMarked
package dev.kermes.server.cluster;

import org.jspecify.annotations.NullMarked;
