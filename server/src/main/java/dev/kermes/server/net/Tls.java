package dev.kermes.server.net;

import dev.kermes.server.config.TlsOptions;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** TLS by the JDK, configured by the options. */
final class Tls {

  private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

  private Tls() {}

  /**
   * The context for clients' connections, from the current options and files.
   *
   * @throws IOException with what is wrong with them
   */
  static SslContext of(TlsOptions options) throws IOException {
    if (options.certFile.value().isEmpty() || options.keyFile.value().isEmpty()) {
      throw new IOException("tls-port needs tls-cert-file and tls-key-file");
    }
    ClientAuth clientAuth = clientAuth(options.authClients.value());
    boolean knowsAuthorities =
        !options.caFile.value().isEmpty() || !options.caFolder.value().isEmpty();
    if (clientAuth != ClientAuth.NONE && !knowsAuthorities) {
      throw new IOException(
          "tls-ca-cert-file is needed to tell whose certificates are good, or tls-ca-cert-dir; without,"
              + " tls-auth-clients must be no");
    }
    try {
      return builder(options).clientAuth(clientAuth).build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IOException("no TLS: " + text(e), e);
    }
  }

  /**
   * The context for the connection to a master. {@code tls-ca-cert-file} or {@code tls-ca-cert-dir}
   * must vouch for the master's certificate; as with Redis, the host it names does not matter.
   *
   * @throws IOException with what is wrong with the options or their files
   */
  static SslContext toMaster(TlsOptions options) throws IOException {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forClient().endpointIdentificationAlgorithm(null);
      boolean hasOwn = !options.clientCertFile.value().isEmpty();
      String cert = hasOwn ? options.clientCertFile.value() : options.certFile.value();
      String key = hasOwn ? options.clientKeyFile.value() : options.keyFile.value();
      String password = hasOwn ? options.clientKeyPassword.value() : options.keyPassword.value();
      File keyFile = new File(key);
      if (!cert.isEmpty()) {
        builder.keyManager(new File(cert), keyFile, passwordOf(keyFile, password));
      }
      return tuned(builder, options).build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IOException("no TLS: " + text(e), e);
    }
  }

  private static SslContextBuilder builder(TlsOptions options) throws IOException {
    File cert = new File(options.certFile.value());
    File key = new File(options.keyFile.value());
    String password = passwordOf(key, options.keyPassword.value());
    return tuned(SslContextBuilder.forServer(cert, key, password), options);
  }

  /** The key's password; null if it needs none, since OpenSSL ignores a superfluous one, too. */
  private static @Nullable String passwordOf(File key, String password) throws IOException {
    if (password.isEmpty() || !key.canRead()) return null;
    return Files.readString(key.toPath()).contains("ENCRYPTED") ? password : null;
  }

  private static SslContextBuilder tuned(SslContextBuilder builder, TlsOptions options)
      throws IOException {
    builder.sslProvider(SslProvider.JDK).protocols(versions(options.protocols.value()));
    List<X509Certificate> authorities = Certificates.authorities(options);
    if (!authorities.isEmpty()) builder.trustManager(authorities);
    if (!options.cipherSuites.value().isEmpty() || !options.ciphers.value().isEmpty()) {
      builder.ciphers(CipherSuites.of(options), SupportedCipherSuiteFilter.INSTANCE);
    }
    return builder;
  }

  /**
   * The handler that secures a client's connection; an executor does the handshake's arithmetic.
   */
  static SslHandler handler(
      SslContext context, Channel channel, TlsOptions options, Executor handshakes) {
    SslHandler handler = context.newHandler(channel.alloc(), handshakes);
    SSLParameters parameters = handler.engine().getSSLParameters();
    parameters.setUseCipherSuitesOrder(options.prefersOwnOrder.isOn());
    handler.engine().setSSLParameters(parameters);
    return handler;
  }

  private static List<String> versions(String protocols) {
    return protocols.isBlank() ? VERSIONS : List.of(protocols.strip().split("\\s+"));
  }

  private static ClientAuth clientAuth(String mode) {
    return switch (mode) {
      case "no" -> ClientAuth.NONE;
      case "optional" -> ClientAuth.OPTIONAL;
      default -> ClientAuth.REQUIRE;
    };
  }

  /** The messages of a failure and of its causes. */
  private static String text(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
  }
}
