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
 * How connections are encrypted. Immutable.
 *
 * @param context what decides on everything but {@code verifiesHost}, or null for what follows
 * @param trust a PEM file with the certificates of authorities to trust, or null for the JVM's
 * @param certificate a PEM file with the client's certificate and its chain, or null for none
 * @param key a PEM file with the private key to it, in PKCS#8, or null
 * @param verifiesHost whether the server's certificate must be for the host that was dialled
 */
public record Tls(
    @Nullable SSLContext context,
    @Nullable Path trust,
    @Nullable Path certificate,
    @Nullable Path key,
    boolean verifiesHost) {

  /** The JVM's trusted certificates, and none of the client's. */
  static final Tls DEFAULT = new Tls(null, null, null, null, true);

  /**
   * As Netty wants it.
   *
   * @throws IllegalArgumentException if a file cannot be read or does not hold what it should
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
