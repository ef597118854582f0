package dev.kermes.http;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A WebSocket connection, on which both sides send messages; RFC 6455. Any thread. */
public interface WebSocket {

  /** The handshake request, with its path parameters, query, header fields and cookies. */
  HttpMessage request();

  /** The one of {@link WebSocketHandler#subprotocols} agreed on; null if there is none. */
  @Nullable String subprotocol();

  /**
   * Sends a text.
   *
   * @return a future that completes when the message has been handed to the network, which is the
   *     time to send more. It fails with an IOException if the socket is closed, or if more than
   *     {@link HttpLimits#messageMax} bytes are waiting because the client reads too slowly.
   */
  CompletableFuture<Void> send(String text);

  /** Sends bytes; like {@link #send(String)}. */
  CompletableFuture<Void> send(byte[] bytes);

  /** Whether messages can be sent. */
  boolean isOpen();

  /** Closes the socket with 1000. */
  void close();

  /**
   * Closes the socket after the messages sent before.
   *
   * @param code 1000, 1001, 1003, 1007 to 1014, or 3000 to 4999
   * @param reason at most 123 bytes of UTF-8
   */
  void close(int code, String reason);
}
