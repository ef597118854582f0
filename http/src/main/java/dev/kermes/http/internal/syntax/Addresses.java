package dev.kermes.http.internal.syntax;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Addresses as text, for URLs and logs. */
public final class Addresses {

  private Addresses() {}

  /** Formats an address as {@code 127.0.0.1:4242} or {@code [::1]:4242}. */
  public static String text(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress internet && internet.getAddress() != null
        ? text(internet.getAddress().getHostAddress(), internet.getPort())
        : String.valueOf(address);
  }

  /** Formats a host and a port, with brackets around an IPv6 address. */
  public static String text(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
