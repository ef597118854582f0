/** WebSockets: handshake, messages, compression. */
@NullMarked
package dev.kermes.http.internal.websocket;

import org.jspecify.annotations.NullMarked;
