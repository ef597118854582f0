/** CLUSTER, which a server without cluster support refuses. */
@NullMarked
package dev.kermes.server.command.cluster;

import org.jspecify.annotations.NullMarked;
