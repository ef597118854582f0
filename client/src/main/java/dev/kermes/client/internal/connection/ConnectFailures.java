package dev.kermes.client.internal.connection;

import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.ServerErrorException;
import dev.kermes.resp.ProtocolException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.io.Serial;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Translates reasons why there is no connection into messages that say what to do. */
final class ConnectFailures {
  private static final String WANTS_TLS = "; does the server want TLS (rediss://)?";

  private ConnectFailures() {}

  /** The server's bytes are not RESP, most often because only one side uses TLS. */
  static final class NotRespException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    NotRespException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Translates {@code cause}, the reason why a connection or an attempt to connect failed. */
  static Throwable of(Throwable cause, RedisOptions options) {
    if (cause instanceof ProtocolException && !options.usesTls()) {
      return new NotRespException(cause.getMessage() + WANTS_TLS, cause);
    }
    SSLException tls = sslException(cause);
    if (tls == null) return cause;
    if (tls instanceof NotSslRecordException) {
      return new NotSslRecordException(
          "the server does not speak TLS: use redis:// or its TLS port");
    }
    if (!isUntrusted(tls)) return tls;
    String advice = "; RedisOptions.trust(…) names certificates to trust";
    return new SSLHandshakeException(tls.getMessage() + advice, tls);
  }

  private static @Nullable SSLException sslException(Throwable cause) {
    if (cause instanceof SSLException tls) return tls;
    return cause.getCause() instanceof SSLException tls ? tls : null;
  }

  private static boolean isUntrusted(SSLException tls) {
    String message = String.valueOf(tls.getMessage());
    boolean isPath = message.contains("PKIX path building failed");
    return isPath && hasCertificateCause(tls);
  }

  private static boolean hasCertificateCause(Throwable tls) {
    for (Throwable cause = tls; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) return true;
    }
    return false;
  }

  /** The failure when the server closes a connection before the handshake is over. */
  static IOException hungUp(RedisOptions options) {
    String advice = options.usesTls() ? "" : WANTS_TLS;
    return new IOException("the server hung up before it said anything" + advice);
  }

  /** Translates the server's error during the handshake. */
  static ServerErrorException of(ServerErrorException said, boolean hasPassword) {
    if (hasPassword || !said.code().equals("NOAUTH")) return said;
    return new ServerErrorException(
        "NOAUTH the server wants a password:"
            + " RedisOptions.password(…) or redis://:password@host");
  }

  /** Whether trying again will give the same result. */
  static boolean isFinal(RedisException failure) {
    Throwable cause = failure.getCause();
    return failure instanceof ServerErrorException
        || cause instanceof ServerErrorException
        || cause instanceof SSLException
        || cause instanceof NotRespException;
  }
}
