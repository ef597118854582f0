/**
 * The data of a server: its databases, their expiry and eviction, the account of their memory, and
 * the lock that guards them. Clients, files and replicas are told of changes through interfaces.
 */
@NullMarked
package dev.kermes.server.keyspace;

import org.jspecify.annotations.NullMarked;
