/** Sockets and event loops: from bytes to commands and back. */
@NullMarked
package dev.kermes.server.net;

import org.jspecify.annotations.NullMarked;
