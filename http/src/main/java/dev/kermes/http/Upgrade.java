package dev.kermes.http;

import io.netty.channel.Channel;
import java.util.List;

/** A protocol that takes over a connection of HTTP/1.1 after its handshake. */
interface Upgrade {

  /** The header fields of the response 101 to a valid handshake. */
  List<Response.Header> headers(Request request);

  /** Installs the handlers of the protocol, after the response has been written; on the loop. */
  void install(Request request, Channel channel, ConnectionTimeouts timeouts, HttpLimits limits);
}
