package dev.kermes.http.internal.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/** Closes channels. */
public final class Channels {

  private Channels() {}

  /** Closes without passing through the handlers: no close_notify of TLS, no GOAWAY of HTTP/2. */
  public static void closeNow(Channel channel) {
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first == null) channel.close();
    else first.close();
  }
}
