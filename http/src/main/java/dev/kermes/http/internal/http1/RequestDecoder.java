package dev.kermes.http.internal.http1;

import dev.kermes.http.HttpLimits;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;

/**
 * Netty's decoder of HTTP/1 requests with the server's limits; it also records when bytes arrive.
 * While many requests wait, it stops decoding: as bytes they take a tenth of the memory.
 */
public final class RequestDecoder extends HttpRequestDecoder {

  private final ConnectionTimeouts timeouts;
  private final Http1Connection connection;

  public RequestDecoder(
      HttpLimits limits, ConnectionTimeouts timeouts, Http1Connection connection) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.requestLineMax())
            .setMaxHeaderSize(limits.headersMax())
            .setMaxChunkSize(64 * 1024));
    this.timeouts = timeouts;
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    timeouts.recordInput(connection.isIdle());
    super.channelRead(context, message);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    if (connection.takesMore()) super.decode(context, in, out);
  }

  /** Decodes the bytes received so far. */
  void decodeBuffered() throws Exception {
    if (actualReadableBytes() == 0) return;
    ChannelHandlerContext context = connection.channel().pipeline().context(this);
    super.channelRead(context, Unpooled.EMPTY_BUFFER);
    super.channelReadComplete(context);
  }
}
