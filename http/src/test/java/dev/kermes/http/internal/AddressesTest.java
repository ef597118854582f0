package dev.kermes.http.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.http.internal.syntax.Addresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Checks the addresses in URLs and logs. */
final class AddressesTest {

  @Test
  void ipv6_hasBrackets() throws Exception {
    assertThat(Addresses.text("::", 80)).isEqualTo("[::]:80");
    byte[] ip = new byte[16];
    ip[15] = 1;
    InetAddress loopback = InetAddress.getByAddress(ip);
    assertThat(Addresses.text(new InetSocketAddress(loopback, 80)))
        .isEqualTo("[0:0:0:0:0:0:0:1]:80");
  }

  @Test
  void others_haveNone() throws Exception {
    assertThat(Addresses.text("localhost", 80)).isEqualTo("localhost:80");
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    assertThat(Addresses.text(new InetSocketAddress(loopback, 80))).isEqualTo("127.0.0.1:80");
  }
}
