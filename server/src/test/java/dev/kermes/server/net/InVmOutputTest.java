package dev.kermes.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.net.Transport;
import dev.kermes.server.RedisServer;
import dev.kermes.testing.RespSocket;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client in the same JVM that does not read its replies costs no more than one of a socket. */
@Timeout(60)
class InVmOutputTest {

  private static final int VALUE = 100_000;
  private static final int REPLY = ("$" + VALUE + "\r\n\r\n").length() + VALUE;
  private static final int COMMANDS = 1000;

  private final RedisServer server = RedisServer.builder().port(0).inVm().start();
  private final EventLoopGroup group =
      Transport.inVm().newGroup(1, new DefaultThreadFactory("in-vm-test", true));
  private final AtomicLong received = new AtomicLong();
  private final Channel client;
  private final RespSocket other;

  InVmOutputTest() throws Exception {
    other = new RespSocket(server.port());
    Bootstrap bootstrap = new Bootstrap().group(group).channel(Transport.inVm().channel());
    bootstrap.handler(
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            received.addAndGet(bytes.readableBytes());
            bytes.release();
          }
        });
    String name = server.inVmUrl().substring("redis-local://".length());
    client = bootstrap.connect(new LocalAddress(name)).sync().channel();
    send("SET large " + "x".repeat(VALUE) + "\r\n");
    until(() -> received.get() == "+OK\r\n".length());
    received.set(0);
    client.config().setOption(ChannelOption.AUTO_READ, false);
  }

  @AfterEach
  void stop() throws IOException {
    other.close();
    client.close();
    group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    server.close();
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void until(Condition condition) throws Exception {
    while (!condition.holds()) Thread.sleep(1);
  }

  private void send(String commands) {
    client.writeAndFlush(Unpooled.copiedBuffer(commands, StandardCharsets.US_ASCII));
  }

  /** The output that the server holds for its clients. */
  private long unread() throws IOException {
    return clients()
        .lines()
        .filter(line -> line.contains("omem="))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".* omem=(\\d+) .*", "$1")))
        .sum();
  }

  private String clients() throws IOException {
    return other.call("CLIENT", "LIST").text();
  }

  @Test
  void commandsOfAClientThatDoesNotRead_waitUntilItDoes() throws Exception {
    send("GET large\r\n".repeat(COMMANDS));
    until(() -> unread() > REPLY);
    Thread.sleep(100); // long enough to serve all commands
    assertThat(unread()).isLessThan(2_000_000);

    client.config().setOption(ChannelOption.AUTO_READ, true);
    until(() -> received.get() == (long) COMMANDS * REPLY);
    until(() -> unread() == 0);
  }

  @Test
  void messagesToASubscriberThatDoesNotRead_closeItAtTheOutputLimit() throws Exception {
    send("SUBSCRIBE news\r\n");
    until(() -> clients().contains(" sub=1 "));
    String message = "x".repeat(VALUE);
    int sent = 0;
    while (other.call("PUBLISH", "news", message).toString().equals(":1")) sent++;
    assertThat((long) sent * VALUE).isBetween(30_000_000L, 64_000_000L); // the limit is 32 MB
    assertThat(clients()).doesNotContain(" sub=1 ");
  }
}
