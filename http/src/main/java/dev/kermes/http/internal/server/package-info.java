/** Listening sockets, event loops, TLS, and the choice of the protocol. */
@NullMarked
package dev.kermes.http.internal.server;

import org.jspecify.annotations.NullMarked;
