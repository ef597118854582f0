package dev.kermes.client;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of connections. Immutable.
 *
 * @param context decides everything except {@code verifiesHost}; null to use the files below
 * @param trust a PEM file with the certificates of authorities to trust, or null for the JVM's
 * @param certificate a PEM file with the client's certificate and its chain, or null for none
 * @param key a PEM file with the private key to it, in PKCS#8, or null
 * @param verifiesHost whether the server's certificate must match the host of the address
 */
public record Tls(
    @Nullable SSLContext context,
    @Nullable Path trust,
    @Nullable Path certificate,
    @Nullable Path key,
    boolean verifiesHost) {

  /** Trusts the JVM's certificates and has no client certificate. */
  static final Tls DEFAULT = new Tls(null, null, null, null, true);

  /**
   * Converts the settings to Netty's class.
   *
   * @throws IllegalArgumentException if a file cannot be read or has the wrong content
   */
  SslContext forNetty() {
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
