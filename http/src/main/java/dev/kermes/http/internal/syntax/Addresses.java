package dev.kermes.http.internal.syntax;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Socket addresses as text for logs. */
public final class Addresses {

  private Addresses() {}

  /** Formats an address as {@code 127.0.0.1:4242}. */
  public static String text(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress().getHostAddress() + ":" + internet.getPort()
        : String.valueOf(address);
  }
}
