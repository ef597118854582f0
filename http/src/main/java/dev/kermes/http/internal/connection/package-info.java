/** Timeouts and the end of connections, whatever their protocol. */
@NullMarked
package dev.kermes.http.internal.connection;

import org.jspecify.annotations.NullMarked;
