package dev.kermes.server.net;

import dev.kermes.server.engine.Admission;
import dev.kermes.server.engine.Engine;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Counts the connections that a listening socket accepts, before an event loop takes them.
 * Accepting is so fast that a flood of connections would fill the heap before the loops get to
 * them. Connections beyond what {@link Admission} allows are closed at once.
 */
@ChannelHandler.Sharable
final class AcceptLimiter extends ChannelInboundHandlerAdapter {

  private final Engine engine;
  private final int size;

  AcceptLimiter(Engine engine, boolean usesTls) {
    this.engine = engine;
    size = Admission.PLAIN_BYTES + (usesTls ? Admission.TLS_BYTES : 0);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel accepted = (Channel) message;
    if (engine.admission().enter(size)) {
      accepted.closeFuture().addListener(closed -> engine.admission().leave(size));
      context.fireChannelRead(message);
    } else {
      accepted.unsafe().closeForcibly();
      engine.keyspace().withLock(() -> engine.statistics().connectionsRejected++);
    }
  }
}
