package dev.kermes.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TransportTest {

  private static final RawUnixChannelOption CONGESTION =
      new RawUnixChannelOption("TCP_CONGESTION", 6, 13, 4);

  /** Has no power on a machine whose default is Reno. */
  @Test
  void tuneForLoopback_acceptedConnectionsAreNotPaced() throws Exception {
    assumeTrue(NativeTransports.isEpollAvailable());
    AcceptedConnection.with(
        Transport.named("epoll"),
        (accepted, client) -> {
          assertThat(client.isConnected()).isTrue();
          ByteBuffer found = accepted.config().getOption(CONGESTION);
          assertThat(StandardCharsets.US_ASCII.decode(found).toString()).isEqualTo("reno");
        });
  }
}
