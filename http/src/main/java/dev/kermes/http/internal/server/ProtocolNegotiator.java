package dev.kermes.http.internal.server;

import dev.kermes.http.internal.connection.ConnectionTimeouts;
import dev.kermes.http.internal.connection.TimedConnection;
import dev.kermes.http.internal.exchange.ServerContext;
import dev.kermes.http.internal.http1.Http1Connection;
import dev.kermes.http.internal.http1.RequestDecoder;
import dev.kermes.http.internal.http2.Http2Session;
import dev.kermes.http.internal.syntax.Addresses;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the protocol of a new connection and installs its handlers: with TLS by ALPN,
 * otherwise by the first bytes. Until then, the timeouts treat the connection as one that has sent
 * nothing.
 */
public final class ProtocolNegotiator implements TimedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(ProtocolNegotiator.class);

  private final ServerContext server;
  private final Channel channel;
  private final ConnectionTimeouts timeouts;
  private boolean isPlain;

  ProtocolNegotiator(ServerContext server, Channel channel, ConnectionTimeouts timeouts) {
    this.server = server;
    this.channel = channel;
    this.timeouts = timeouts;
  }

  void begin(@Nullable SslContext tls) {
    timeouts.opened(this);
    channel.closeFuture().addListener(closed -> timeouts.closed());
    isPlain = tls == null;
    if (tls == null) {
      channel.pipeline().addLast(new ByFirstBytes());
    } else {
      SslHandler handler = tls.newHandler(channel.alloc());
      handler.setHandshakeTimeoutMillis(server.limits().headerTime().toMillis());
      channel.pipeline().addLast(handler, new ByAlpn());
    }
  }

  private TimedConnection http1() {
    Http1Connection connection = new Http1Connection(server, channel, timeouts);
    timeouts.opened(connection);
    RequestDecoder decoder = new RequestDecoder(server.limits(), timeouts, connection);
    channel.pipeline().addLast(decoder, connection);
    return connection;
  }

  private void http2() {
    timeouts.opened(Http2Session.install(server, channel, timeouts));
  }

  /** Recognises HTTP/2 by its first three letters, which begin no method; RFC 9113, 3.4. */
  private final class ByFirstBytes extends ByteToMessageDecoder {
    private static final String PREFACE = "PRI";

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
      int length = Math.min(in.readableBytes(), PREFACE.length());
      boolean isHttp2 = true;
      for (int i = 0; i < length; i++) {
        isHttp2 &= in.getByte(in.readerIndex() + i) == PREFACE.charAt(i);
      }
      if (isHttp2 && length < PREFACE.length()) return;
      if (isHttp2) http2();
      else http1();
      ChannelPipeline pipeline = context.pipeline();
      pipeline.remove(this); // passes on the bytes read so far
    }
  }

  private final class ByAlpn extends ApplicationProtocolNegotiationHandler {
    ByAlpn() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) http2();
      else http1();
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
      LOG.debug("handshake failed: client={}", Addresses.text(channel.remoteAddress()), cause);
      context.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      handshakeFailure(context, cause);
    }
  }

  @Override
  public void checkTimes() {
    if (!timeouts.isHeadLate(server.limits())) return;
    if (isPlain) http1().checkTimes(); // answers 408
    else channel.close();
  }

  @Override
  public void stop() {
    channel.close();
  }
}
