/**
 * Fixtures that need classes of the server: servers with options, disks on which threads wait, and
 * the base classes of tests. All others are in the module {@code testing}, which cannot use the
 * server, because the server's own tests depend on it.
 */
@NullMarked
package dev.kermes.server.testing;

import org.jspecify.annotations.NullMarked;
