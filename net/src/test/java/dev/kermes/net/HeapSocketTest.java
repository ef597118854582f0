package dev.kermes.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

/** With epoll, in a JVM that allows the module native access. */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(min = JRE.JAVA_22)
@Timeout(60)
class HeapSocketTest {

  /** More than the buffers of a connection hold. */
  private static final int LENGTH = 64 << 20;

  /** The socket, when the system call has been linked. */
  private static HeapSocket socketOf(Channel channel) throws Exception {
    HeapSocket socket = HeapSocket.of(channel);
    while (socket == null) {
      Thread.sleep(1);
      socket = HeapSocket.of(channel);
    }
    return socket;
  }

  @Test
  void send_takesWhatTheSocketHasRoomFor() throws Exception {
    AcceptedConnection.with(
        Transport.named("epoll"),
        (channel, client) -> {
          byte[] array = new byte[LENGTH];
          new Random(1).nextBytes(array);
          HeapSocket socket = socketOf(channel);
          int first = 100;
          int sent = first;
          int taken = send(channel, socket, array, sent);
          for (; taken > 0; taken = send(channel, socket, array, sent)) sent += taken;
          assertThat(taken).isEqualTo(-1);
          assertThat(sent).isBetween(first + 1, LENGTH - 1);
          int read = first;
          while (read < LENGTH) {
            int to = Math.min(sent, read + (1 << 20));
            byte[] expected = Arrays.copyOfRange(array, read, to);
            byte[] received = client.getInputStream().readNBytes(to - read);
            assertThat(Arrays.equals(received, expected)).isTrue();
            read = to;
            int more = sent == LENGTH ? 0 : send(channel, socket, array, sent);
            if (more > 0) sent += more;
          }
        });
  }

  private static int send(Channel channel, HeapSocket socket, byte[] array, int from)
      throws Exception {
    return channel.eventLoop().submit(() -> socket.send(array, from, LENGTH - from, false)).get();
  }

  @Test
  void of_aChannelThatEncrypts_isNull() throws Exception {
    AcceptedConnection.with(
        Transport.named("epoll"),
        (channel, client) -> {
          assertThat(socketOf(channel)).isNotNull();
          SslContext context = SslContextBuilder.forClient().build();
          channel.pipeline().addLast(context.newHandler(channel.alloc()));
          assertThat(HeapSocket.of(channel)).isNull();
        });
  }

  @Test
  void of_aChannelThatDoesNotShowItsSocket_isNull() throws Exception {
    AcceptedConnection.with(
        Transport.named("epoll"), (channel, client) -> assertThat(socketOf(channel)).isNotNull());
    AcceptedConnection.with(
        Transport.nio(), (channel, client) -> assertThat(HeapSocket.of(channel)).isNull());
  }
}
