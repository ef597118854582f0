package dev.kermes.client;

import java.nio.file.Path;
import javax.net.ssl.SSLContext;
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
}
