package dev.kermes.client.internal.address;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.stream.Collectors;

/** Formats addresses as {@code host:port} for messages. */
public final class AddressText {
  private AddressText() {}

  public static String of(SocketAddress address) {
    if (!(address instanceof InetSocketAddress internet)) return address.toString();
    String host = internet.getHostString();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + internet.getPort();
  }

  public static String of(Collection<? extends SocketAddress> addresses) {
    return addresses.stream().map(AddressText::of).collect(Collectors.joining(", "));
  }
}
