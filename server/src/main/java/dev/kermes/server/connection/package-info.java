/** Sockets and event loops: from bytes to commands and back. */
@NullMarked
package dev.kermes.server.connection;

import org.jspecify.annotations.NullMarked;
