package dev.kermes.client;

import io.netty.channel.local.LocalAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads options from a URL; the forms are those of {@link RedisOptions#url}. */
final class RedisUrl {
  private static final String SCHEMES =
      "redis, rediss, redis-socket, redis-local, redis-cluster, redis-sentinel";

  private RedisUrl() {}

  static RedisOptions.Builder parse(String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (java.net.URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + e.getReason());
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme();
    RedisOptions.Builder builder =
        switch (scheme) {
          case "redis" -> new RedisOptions.Builder(internet(uri));
          case "rediss" -> new RedisOptions.Builder(internet(uri)).tls(true);
          case "redis-socket", "unix" ->
              new RedisOptions.Builder(UnixDomainSocketAddress.of(path(uri)));
          case "redis-local" -> new RedisOptions.Builder(new LocalAddress(host(uri)));
          case "redis-cluster" -> RedisOptions.cluster(hosts(uri, 6379));
          case "rediss-cluster" -> RedisOptions.cluster(hosts(uri, 6379)).tls(true);
          case "redis-sentinel" -> watched(uri);
          case "rediss-sentinel" -> watched(uri).tls(true);
          default ->
              throw new IllegalArgumentException(
                  "unknown scheme: " + scheme + "; known are " + SCHEMES);
        };
    credentials(uri, builder);
    if (scheme.startsWith("redis") && !scheme.equals("redis-socket")) database(uri, builder);
    query(uri, builder);
    return builder;
  }

  private static SocketAddress internet(URI uri) {
    return InetSocketAddress.createUnresolved(host(uri), uri.getPort() < 0 ? 6379 : uri.getPort());
  }

  private static String host(URI uri) {
    String host = uri.getHost();
    if (host == null) host = authorityWithoutUser(uri);
    if (host.isEmpty()) throw new IllegalArgumentException("no host in URL");
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Names that are no host names, such as those with an underscore. */
  private static String authorityWithoutUser(URI uri) {
    String authority = uri.getRawAuthority();
    if (authority == null) return "";
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    return host.contains(":") ? "" : host;
  }

  /** Several hosts, for which there is no getter: {@code host:port,host,[::1]:port}. */
  private static List<InetSocketAddress> hosts(URI uri, int portOtherwise) {
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (String one : authority.substring(authority.lastIndexOf('@') + 1).split(",", -1)) {
      hosts.add(hostAndPort(one, portOtherwise));
    }
    return hosts;
  }

  private static InetSocketAddress hostAndPort(String text, int portOtherwise) {
    int colon = text.lastIndexOf(':');
    if (colon < text.lastIndexOf(']')) colon = -1;
    String host = colon < 0 ? text : text.substring(0, colon);
    if (host.startsWith("[")) host = host.substring(1, host.length() - 1);
    if (host.isEmpty()) throw new IllegalArgumentException("no host in URL");
    int port = colon < 0 ? portOtherwise : number(text.substring(colon + 1));
    return InetSocketAddress.createUnresolved(host, port);
  }

  private static RedisOptions.Builder watched(URI uri) {
    String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    for (String part : query.split("&", -1)) {
      if (part.startsWith("master=")) {
        return RedisOptions.sentinel(decoded(part.substring(7)), hosts(uri, 26_379));
      }
    }
    throw new IllegalArgumentException("no master=name in URL");
  }

  private static String path(URI uri) {
    String path = uri.getPath();
    if (path == null || path.isEmpty()) throw new IllegalArgumentException("no path in URL");
    return path;
  }

  private static void credentials(URI uri, RedisOptions.Builder builder) {
    String authority = uri.getRawAuthority();
    int end = authority == null ? -1 : authority.lastIndexOf('@');
    if (authority == null || end < 0) return;
    String info = authority.substring(0, end);
    int colon = info.indexOf(':');
    if (colon < 0) {
      builder.password(decoded(info));
      return;
    }
    String user = decoded(info.substring(0, colon));
    if (!user.isEmpty()) builder.user(user);
    builder.password(decoded(info.substring(colon + 1)));
  }

  private static void database(URI uri, RedisOptions.Builder builder) {
    String path = uri.getPath();
    if (path != null && path.length() > 1) builder.database(number(path.substring(1)));
  }

  private static void query(URI uri, RedisOptions.Builder builder) {
    String query = uri.getRawQuery();
    if (query == null) return;
    for (String part : query.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : decoded(part.substring(equals + 1));
      switch (name) {
        case "db" -> builder.database(number(value));
        case "user" -> builder.user(value);
        case "password" -> builder.password(value);
        case "name" -> builder.clientName(value);
        case "read-from" -> builder.readFrom(readFrom(value));
        case "master" -> {} // taken with the sentinels
        default -> throw new IllegalArgumentException("unknown parameter in URL: " + name);
      }
    }
  }

  private static ReadFrom readFrom(String text) {
    for (ReadFrom one : ReadFrom.values()) {
      if (one.name().replace('_', '-').equalsIgnoreCase(text)) return one;
    }
    throw new IllegalArgumentException("unknown read-from in URL: " + text);
  }

  private static int number(String text) {
    if (!text.matches("\\d{1,9}")) {
      throw new IllegalArgumentException("not a number: " + text);
    }
    return Integer.parseInt(text);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
