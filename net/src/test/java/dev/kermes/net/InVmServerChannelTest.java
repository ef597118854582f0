package dev.kermes.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InVmServerChannelTest {

  private static final Transport IN_VM = Transport.inVm();

  private final EventLoopGroup server =
      IN_VM.newGroup(1, new DefaultThreadFactory("in-vm-server", true));
  private final LendableLoop client = IN_VM.newLendableLoop("in-vm-client");

  @AfterEach
  void endLoops() throws InterruptedException {
    server.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    client.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    assertThat(server.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(client.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void clientThatClosesWhileItWrites_findsTheOtherLoopAlive() throws Exception {
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    Channel connected = connect(accepted);
    assertOutlives(server, accepted.get(), connected);
  }

  @Test
  void serverThatClosesWhileItWrites_findsTheOtherLoopAlive() throws Exception {
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    Channel connected = connect(accepted);
    assertOutlives(client, connected, accepted.get());
  }

  private Channel connect(CompletableFuture<Channel> accepted) throws InterruptedException {
    ChannelInitializer<Channel> accepting =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            accepted.complete(channel);
          }
        };
    Channel listening =
        new ServerBootstrap()
            .group(server)
            .channel(IN_VM.serverChannel())
            .childHandler(accepting)
            .bind(LocalAddress.ANY)
            .sync()
            .channel();
    return new Bootstrap()
        .group(client)
        .channel(IN_VM.channel())
        .handler(new ChannelInboundHandlerAdapter())
        .connect(listening.localAddress())
        .sync()
        .channel();
  }

  /**
   * The write fails, because {@code gone} has been closed, and its listener closes {@code writing}.
   * After the listener Netty uses the loop of {@code gone} once more, to finish the write.
   */
  private static void assertOutlives(EventLoopGroup ending, Channel gone, Channel writing)
      throws Exception {
    CompletableFuture<Boolean> hasEnded = new CompletableFuture<>();
    writing
        .eventLoop()
        .execute(() -> {
          gone.close().awaitUninterruptibly();
          var unused = ending.shutdownGracefully(0, 0, TimeUnit.SECONDS);
          writing
              .writeAndFlush(Unpooled.EMPTY_BUFFER)
              .addListener(ChannelFutureListener.CLOSE)
              .addListener(closed -> hasEnded.complete(endsWithin(ending, 100)));
        });
    assertThat(hasEnded.get(10, TimeUnit.SECONDS)).isFalse();
  }

  private static boolean endsWithin(EventLoopGroup ending, int millis) {
    try {
      return ending.awaitTermination(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
