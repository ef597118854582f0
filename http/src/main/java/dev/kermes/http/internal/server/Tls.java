package dev.kermes.http.internal.server;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Creates TLS contexts: TLS 1.2 and 1.3 of the JDK, with HTTP/2 or HTTP/1.1 selected by ALPN. */
public final class Tls {

  private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

  private static final ApplicationProtocolConfig PROTOCOLS =
      new ApplicationProtocolConfig(
          ApplicationProtocolConfig.Protocol.ALPN,
          ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
          ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2,
          ApplicationProtocolNames.HTTP_1_1);

  private Tls() {}

  public static SslContext of(SSLContext context) {
    return new JdkSslContext(
        context,
        false,
        Http2SecurityUtil.CIPHERS,
        SupportedCipherSuiteFilter.INSTANCE,
        PROTOCOLS,
        ClientAuth.NONE,
        VERSIONS,
        false);
  }

  /** Creates one from PEM files: a certificate chain, the server's first, and a PKCS 8 key. */
  public static SslContext of(Path chain, Path key) {
    try {
      return SslContextBuilder.forServer(chain.toFile(), key.toFile())
          .sslProvider(SslProvider.JDK)
          .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
          .protocols(VERSIONS)
          .applicationProtocolConfig(PROTOCOLS)
          .build();
    } catch (SSLException e) {
      throw new UncheckedIOException("no TLS: chain=" + chain + ", " + e.getMessage(), e);
    }
  }
}
