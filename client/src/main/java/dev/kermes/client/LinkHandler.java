package dev.kermes.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Passes a channel's events to its link. */
final class LinkHandler extends ChannelInboundHandlerAdapter {
  private final Link link;

  LinkHandler(Link link) {
    this.link = link;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    link.onActive(context.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      link.onBytes(bytes);
    } finally {
      bytes.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    link.onReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    link.onWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    link.onInactive(context.channel());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    link.onError(context.channel(), cause);
  }
}
