package dev.kermes.cli.rediscli;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * TLS by redis-cli's options. A server that the JVM's authorities confirm must also have a
 * certificate for the requested name; a server that {@code --cacert} confirms need not, as with
 * redis-cli.
 */
public final class CliTls {

  boolean isOn;
  boolean isInsecure;

  /** PEM files. */
  @Nullable String caFile;

  @Nullable String certFile;
  @Nullable String keyFile;

  /** The server name to send (SNI); null: the host's name. */
  @Nullable SNIHostName serverName;

  /** TLS that accepts every certificate. */
  public static CliTls insecure() {
    CliTls tls = new CliTls();
    tls.isOn = true;
    tls.isInsecure = true;
    return tls;
  }

  /** Returns the mistake in the options, or null. */
  @Nullable String contradiction() {
    if ((certFile == null) == (keyFile == null)) return null;
    return "--cert and --key need each other";
  }

  /**
   * Encrypts a connection.
   *
   * @throws IOException if a file is invalid, or the two sides do not agree
   */
  Socket encrypted(Socket plain, InetSocketAddress address) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context()
                .context()
                .getSocketFactory()
                .createSocket(plain, address.getHostString(), address.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    if (!isInsecure && caFile == null) parameters.setEndpointIdentificationAlgorithm("HTTPS");
    if (serverName != null) parameters.setServerNames(List.of(serverName));
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private JdkSslContext context() throws IOException {
    try {
      SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
      if (caFile != null) builder.trustManager(new File(caFile));
      if (isInsecure) builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      if (certFile != null && keyFile != null) {
        builder.keyManager(new File(certFile), new File(keyFile));
      }
      return (JdkSslContext) builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      Throwable cause = e.getCause();
      String why = cause == null ? e.getMessage() : cause.getMessage();
      throw new IOException("bad certificate or key file: " + why, e);
    }
  }
}
