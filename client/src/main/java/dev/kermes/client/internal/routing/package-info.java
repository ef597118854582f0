/**
 * The servers behind a client, one or many: which of them gets a command, and what happens when it
 * does not execute it. Topologies come from cluster nodes or from sentinels.
 */
@NullMarked
package dev.kermes.client.internal.routing;

import org.jspecify.annotations.NullMarked;
