/** Netty transports: event-loop groups, addresses, TLS and unix sockets. */
@NullMarked
package dev.kermes.net;

import org.jspecify.annotations.NullMarked;
