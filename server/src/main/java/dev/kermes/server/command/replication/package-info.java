/** REPLICAOF, PSYNC, WAIT, FAILOVER. */
@NullMarked
package dev.kermes.server.command.replication;

import org.jspecify.annotations.NullMarked;
