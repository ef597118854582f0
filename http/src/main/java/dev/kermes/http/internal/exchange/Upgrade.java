package dev.kermes.http.internal.exchange;

import dev.kermes.http.HttpLimits;
import dev.kermes.http.Response;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import io.netty.channel.Channel;
import java.util.List;

/** A protocol that takes over a connection of HTTP/1.1 after its handshake. */
public interface Upgrade {

  /** The header fields of the response 101 to a valid handshake. */
  List<Response.Header> headers(Request request);

  /** Installs the handlers of the protocol, after the response has been written; on the loop. */
  void install(Request request, Channel channel, ConnectionTimeouts timeouts, HttpLimits limits);
}
