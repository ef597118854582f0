package dev.kermes.client.internal.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Passes a channel's events to its connection. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
  private final PipelinedConnection connection;

  ConnectionHandler(PipelinedConnection connection) {
    this.connection = connection;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    connection.onActive(context.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      connection.onBytes(bytes);
    } finally {
      bytes.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    connection.onReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    connection.onWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    connection.onInactive(context.channel());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    connection.onError(context.channel(), cause);
  }
}
