package dev.kermes.client.internal.address;

import dev.kermes.client.ReadFrom;
import dev.kermes.client.RedisOptions;
import io.netty.channel.local.LocalAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Parses options from a URL; see {@link RedisOptions#url} for the forms. */
public final class RedisUrl {
  private static final String SCHEMES =
      "redis, rediss, redis-socket, redis-local, redis-cluster, redis-sentinel";

  private RedisUrl() {}

  public static RedisOptions.Builder parse(String url) {
    try {
      return parse(new URI(url));
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + e.getReason() + ", url=" + masked(url));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ", url=" + masked(url));
    }
  }

  /** Returns {@code url} without user and password, even if they make it malformed. */
  private static String masked(String url) {
    int start = url.indexOf("://") + 3;
    int end = url.lastIndexOf('@');
    String host =
        end < start || start < 3 ? url : url.substring(0, start) + "***" + url.substring(end);
    return host.replaceAll("([?&]password=)[^&]*", "$1***");
  }

  private static RedisOptions.Builder parse(URI uri) {
    checkPassword(uri);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme();
    if (scheme.isEmpty()) {
      throw new IllegalArgumentException(
          "no scheme in URL, such as redis://; known are " + SCHEMES);
    }
    RedisOptions.Builder builder =
        switch (scheme) {
          case "redis" -> RedisOptions.address(internet(uri));
          case "rediss" -> RedisOptions.address(internet(uri)).tls(true);
          case "redis-socket", "unix" ->
              RedisOptions.address(UnixDomainSocketAddress.of(path(uri)));
          case "redis-local" -> RedisOptions.address(new LocalAddress(host(uri)));
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

  /** Rejects an unescaped password that would end the authority early, without quoting it. */
  private static void checkPassword(URI uri) {
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    boolean hasSlash = path.contains("@") && uri.getRawAuthority() != null;
    if (hasSlash || uri.getRawFragment() != null) {
      throw new IllegalArgumentException("@ / # ? in a password are %40 %2F %23 %3F in a URL");
    }
  }

  private static SocketAddress internet(URI uri) {
    return hostAndPort(authorityWithoutUser(uri), 6379);
  }

  private static String host(URI uri) {
    String host = authorityWithoutUser(uri);
    if (host.isEmpty()) throw new IllegalArgumentException("no host in URL");
    return host;
  }

  private static String authorityWithoutUser(URI uri) {
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    return authority.substring(authority.lastIndexOf('@') + 1);
  }

  /** Parses several hosts, which URI does not support: {@code host:port,host,[::1]:port}. */
  private static List<InetSocketAddress> hosts(URI uri, int portOtherwise) {
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (String one : authorityWithoutUser(uri).split(",", -1)) {
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
    int port = colon < 0 ? portOtherwise : number("port", text.substring(colon + 1));
    if (port > 65_535) throw new IllegalArgumentException("no port in URL: " + port);
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
    if (path != null && path.length() > 1) builder.database(number("database", path.substring(1)));
  }

  private static void query(URI uri, RedisOptions.Builder builder) {
    String query = uri.getRawQuery();
    if (query == null) return;
    for (String part : query.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : decoded(part.substring(equals + 1));
      switch (name) {
        case "db" -> builder.database(number("db", value));
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

  private static int number(String what, String text) {
    if (!text.matches("\\d{1,9}")) {
      throw new IllegalArgumentException("not a number in URL: " + what + "=" + text);
    }
    return Integer.parseInt(text);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
