/**
 * Fixtures of the tests: servers, connections to them, a redis-server, disks and networks with
 * faults.
 */
@NullMarked
package dev.kermes.server.testing;

import org.jspecify.annotations.NullMarked;
