package dev.kermes.http.internal.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose client may still be sending: first the server's direction, and the
 * socket once the client has closed its own. Closing a socket with unread input resets the
 * connection, and the client may then lose the response; RFC 9112, 9.6.
 *
 * <pre>
 *   close() -> [close_notify] -> FIN -> input is dropped -> client's FIN, or {@link #MILLIS}
 * </pre>
 */
public final class LingeringClose extends ChannelDuplexHandler {

  /** 2 s: a client answers the FIN within a round trip; one that hangs occupies a socket. */
  private static final long MILLIS = 2000;

  private boolean isClosing;

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (isClosing) {
      context.close(promise);
      return;
    }
    isClosing = true;
    SslHandler tls = context.pipeline().get(SslHandler.class);
    Future<?> end =
        tls == null ? context.writeAndFlush(Unpooled.EMPTY_BUFFER) : tls.closeOutbound();
    end.addListener(sent -> linger(context, promise));
  }

  private static void linger(ChannelHandlerContext context, ChannelPromise promise) {
    DuplexChannel socket = (DuplexChannel) context.channel();
    socket.shutdownOutput();
    socket.config().setAutoRead(true);
    Future<?> late =
        context.executor().schedule(() -> context.close(), MILLIS, TimeUnit.MILLISECONDS);
    socket
        .closeFuture()
        .addListener(closed -> {
          late.cancel(false);
          promise.trySuccess();
        });
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isClosing) ReferenceCountUtil.release(message);
    else context.fireChannelRead(message);
  }
}
