/**
 * Fixtures for the tests of all modules: a redis-server, programs in processes of their own,
 * connections that send and read bytes as they are, scripted peers, and networks with faults. They
 * use the JDK only, because the server and the client are tested with them; fixtures that need
 * classes of the server are in its own tests, in {@code dev.kermes.server.testing}.
 */
@NullMarked
package dev.kermes.testing;

import org.jspecify.annotations.NullMarked;
