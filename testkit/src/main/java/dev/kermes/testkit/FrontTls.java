package dev.kermes.testkit;

import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The encryption between clients and the proxies of the kit; behind them there is none, so that
 * proxies can read commands. Immutable.
 *
 * @param context the key and the certificate of the proxies; null for clients without TLS
 */
record FrontTls(@Nullable SSLContext context) {

  static final FrontTls NONE = new FrontTls(null);

  boolean isOn() {
    return context != null;
  }

  /** The beginning of URLs for clients. */
  String scheme() {
    return isOn() ? "rediss" : "redis";
  }

  /** The decrypted side of a client's connection; the same socket without TLS. */
  Socket decrypted(Socket client) throws IOException {
    if (context == null) return client;
    return context.getSocketFactory().createSocket(client, null, false);
  }

  /** Opens a client, which trusts what the context trusts. */
  RedisClient open(String url) {
    RedisOptions.Builder options = RedisOptions.url(url);
    return RedisClient.open((context == null ? options : options.tls(context)).build());
  }
}
