package dev.kermes.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Netty's decoder of HTTP/1 requests with our limits; tells the clock when bytes come. */
final class RequestDecoder extends HttpRequestDecoder {

  private final ConnectionClock clock;
  private final Http1Connection connection;

  RequestDecoder(HttpLimits limits, ConnectionClock clock, Http1Connection connection) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.requestLineMax())
            .setMaxHeaderSize(limits.headersMax())
            .setMaxChunkSize(64 * 1024));
    this.clock = clock;
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    clock.inputCame(connection.isIdle());
    super.channelRead(context, message);
  }
}
