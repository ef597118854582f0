package dev.kermes.http.internal.http1;

import dev.kermes.http.internal.body.BodyStream;
import dev.kermes.http.internal.syntax.Ascii;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A response body of HTTP/1: in chunks, or plain if its length or the connection's end bounds it.
 */
public final class Http1Body extends BodyStream {

  private static final byte[] LINE_END = Ascii.bytes("\r\n");
  private static final byte[] LAST_CHUNK = Ascii.bytes("0\r\n\r\n");

  private final Http1Connection connection;
  private final Http1Exchange exchange;
  private final boolean isChunked;

  Http1Body(Http1Connection connection, Http1Exchange exchange, boolean isChunked) {
    super(connection.channel(), exchange.isHead());
    this.connection = connection;
    this.exchange = exchange;
    this.isChunked = isChunked;
  }

  @Override
  protected void write(ByteBuf piece) {
    if (!isChunked) {
      channel().writeAndFlush(piece);
      return;
    }
    byte[] size = Ascii.bytes(Integer.toHexString(piece.readableBytes()) + "\r\n");
    ByteBuf[] parts = {Unpooled.wrappedBuffer(size), piece, Unpooled.wrappedBuffer(LINE_END)};
    channel().writeAndFlush(Unpooled.wrappedUnmodifiableBuffer(parts));
  }

  @Override
  protected void end() {
    if (isChunked && !exchange.isHead()) channel().write(Unpooled.wrappedBuffer(LAST_CHUNK));
    connection.responseDone(exchange);
  }
}
