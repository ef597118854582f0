package dev.kermes.client.internal.connection;

import dev.kermes.client.Tls;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Converts TLS settings to Netty's class. */
final class TlsContexts {
  private TlsContexts() {}

  /**
   * Converts the settings to Netty's class.
   *
   * @throws IllegalArgumentException if a file cannot be read or has the wrong content
   */
  static SslContext of(Tls tls) {
    SSLContext context = tls.context();
    Path trust = tls.trust();
    Path certificate = tls.certificate();
    Path key = tls.key();
    if (context != null) {
      return new JdkSslContext(
          context,
          true,
          null,
          IdentityCipherSuiteFilter.INSTANCE,
          ApplicationProtocolConfig.DISABLED,
          ClientAuth.NONE,
          null,
          false);
    }
    SslContextBuilder builder = SslContextBuilder.forClient();
    try {
      if (trust != null) builder.trustManager(trust.toFile());
      if (certificate != null && key != null) {
        builder.keyManager(certificate.toFile(), key.toFile());
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no TLS with these files: trust="
              + trust
              + ", certificate="
              + certificate
              + ", key="
              + key
              + ", "
              + e.getMessage(),
          e);
    }
  }
}
