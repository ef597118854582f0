/**
 * Replication: the state of this server as a master or replica, the replicas and the stream of
 * writes that they read, full syncs, and failover.
 */
@NullMarked
package dev.kermes.server.replication;

import org.jspecify.annotations.NullMarked;
