package dev.kermes.testkit;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@code redis://} URL.
 *
 * @param userInfo user and password as the URL has them; null without
 * @param path the database, such as {@code /3}; empty without
 */
record ServerAddress(String host, int port, @Nullable String userInfo, String path) {

  private static final int DEFAULT_PORT = 6379;

  /** Parses a URL; {@code source} names it in the error. */
  static ServerAddress parse(String source, String url) {
    URI uri = parts(source, url);
    boolean isRedis = "redis".equals(uri.getScheme()) && uri.getHost() != null;
    if (!isRedis || !uri.getPath().matches("(/\\d*)?")) throw malformed(source, url, null);
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    return new ServerAddress(uri.getHost(), port, uri.getRawUserInfo(), uri.getPath());
  }

  private static URI parts(String source, String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw malformed(source, url, e);
    }
  }

  private static IllegalArgumentException malformed(
      String source, String url, @Nullable Exception cause) {
    String form = "redis://[user:password@]host[:port][/database]";
    return new IllegalArgumentException(
        source + " is not of the form " + form + ", without TLS: url=" + url, cause);
  }

  /** The address of a server on this machine without a password. */
  static ServerAddress local(int port) {
    return new ServerAddress("127.0.0.1", port, null, "");
  }

  /** The same login and database at a port of this machine. */
  ServerAddress through(int localPort) {
    return new ServerAddress("127.0.0.1", localPort, userInfo, path);
  }

  /** The number of the database. */
  String database() {
    return path.length() > 1 ? path.substring(1) : "0";
  }

  /** The address without the login, for messages. */
  String hostAndPort() {
    return host + ":" + port;
  }

  String url(String scheme) {
    return scheme + "://" + (userInfo == null ? "" : userInfo + "@") + host + ":" + port + path;
  }
}
