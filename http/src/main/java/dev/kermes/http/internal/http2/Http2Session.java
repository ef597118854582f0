package dev.kermes.http.internal.http2;

import dev.kermes.http.HttpLimits;
import dev.kermes.http.internal.connection.Channels;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import dev.kermes.http.internal.connection.LingeringClose;
import dev.kermes.http.internal.connection.TimedConnection;
import dev.kermes.http.internal.exchange.ServerContext;
import dev.kermes.http.internal.syntax.Addresses;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/2 connection: Netty's codec and a channel for each stream, whose {@link
 * Http2StreamHandler} handles its request. Netty's limits end the connection on floods of resets,
 * pings, settings, empty frames or continuations. Owned by its event loop.
 */
public final class Http2Session extends ChannelInboundHandlerAdapter implements TimedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(Http2Session.class);

  /** 128 KiB of an upload in flight, in addition to what its handler has not read yet. */
  private static final int STREAM_WINDOW = 128 * 1024;

  /** 1 MiB for all uploads of a connection: eight that no handler reads block the others. */
  private static final int CONNECTION_WINDOW = 1 << 20;

  /** Ends streams that still exist this long after {@link #stop}. */
  private static final long STOP_MILLIS_MAX = TimeUnit.MINUTES.toMillis(10);

  private final ServerContext server;
  private final Channel channel;
  private final ConnectionTimeouts timeouts;
  private final Http2Connection streams;
  private boolean isClosing;

  private Http2Session(
      ServerContext server, Channel channel, ConnectionTimeouts timeouts, Http2Connection streams) {
    this.server = server;
    this.channel = channel;
    this.timeouts = timeouts;
    this.streams = streams;
  }

  public static Http2Session install(
      ServerContext server, Channel channel, ConnectionTimeouts timeouts) {
    HttpLimits limits = server.limits();
    Http2FrameCodec codec =
        Http2FrameCodecBuilder.forServer()
            .initialSettings(
                Http2Settings.defaultSettings()
                    .maxConcurrentStreams(limits.streamsMax())
                    .initialWindowSize(STREAM_WINDOW)
                    .maxHeaderListSize(limits.headersMax()))
            .validateRequiredPseudoHeaders(true)
            .gracefulShutdownTimeoutMillis(STOP_MILLIS_MAX)
            .build();
    Http2Session session = new Http2Session(server, channel, timeouts, codec.connection());
    ChannelInitializer<Channel> requests =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel stream) {
            stream.pipeline().addLast(new Http2StreamHandler(session, stream));
          }
        };
    // A client may acknowledge settings, pings and GOAWAY at any time.
    channel.pipeline().addLast(new LingeringClose());
    channel.pipeline().addLast(codec, new Http2MultiplexHandler(requests), session);
    session.widen();
    return session;
  }

  private void widen() {
    try {
      int more = CONNECTION_WINDOW - Http2StreamHandler.STANDARD_WINDOW;
      streams.local().flowController().incrementWindowSize(streams.connectionStream(), more);
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
  }

  ServerContext server() {
    return server;
  }

  Channel channel() {
    return channel;
  }

  ConnectionTimeouts timeouts() {
    return timeouts;
  }

  /** Reads nothing from a client that does not read: its responses would fill the memory. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    channel.config().setAutoRead(channel.isWritable());
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void checkTimes() {
    if (timeouts.detectOutputStall(channel, server.limits())) closeNow();
    else if (streams.numActiveStreams() > 0) timeouts.recordRequestEnd();
    else if (timeouts.isHeadLate(server.limits())) closeNow();
    else if (timeouts.isIdleTooLong(server.limits())) stop();
  }

  /** Sends GOAWAY; the connection closes after its last stream. */
  @Override
  public void stop() {
    if (isClosing) return;
    isClosing = true;
    channel.pipeline().lastContext().close();
  }

  /** Closes without waiting for streams. */
  private void closeNow() {
    Channels.closeNow(channel);
  }

  /** Closes the connection; a protocol error is reported to the client by the codec itself. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Http2Exception) return;
    if (!(cause instanceof IOException))
      LOG.warn("closing {}", Addresses.text(channel.remoteAddress()), cause);
    closeNow();
  }
}
