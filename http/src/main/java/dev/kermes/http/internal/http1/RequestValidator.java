package dev.kermes.http.internal.http1;

import dev.kermes.http.internal.syntax.HeaderSyntax;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Iterator;
import java.util.List;

/**
 * Refuses ambiguous or dangerous requests that Netty's decoder accepts; RFC 9112, 3.2, 6.1 and 6.3.
 * A proxy between client and server must not be able to read a request differently.
 */
public final class RequestValidator {

  private RequestValidator() {}

  /** 0, or the status to refuse with; the connection is then closed. */
  static int refusal(HttpRequest request) {
    HttpVersion version = request.protocolVersion();
    boolean isHttp10 = version.equals(HttpVersion.HTTP_1_0);
    if (!isHttp10 && !version.equals(HttpVersion.HTTP_1_1)) return 505;
    if (!HeaderSyntax.isToken(request.method().name())) return 400;
    HttpHeaders headers = request.headers();
    if (!isHostRight(headers, isHttp10)) return 400;
    if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      if (isHttp10 || headers.contains(HttpHeaderNames.CONTENT_LENGTH)) return 400;
      List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
      if (codings.size() != 1) return 400;
      if (!codings.getFirst().equalsIgnoreCase("chunked")) return 501;
    }
    if (!headers.contains(HttpHeaderNames.CONTENT_LENGTH)) return 0;
    return isLengthRight(headers.getAll(HttpHeaderNames.CONTENT_LENGTH)) ? 0 : 400;
  }

  private static boolean isHostRight(HttpHeaders headers, boolean isHttp10) {
    Iterator<String> hosts = headers.valueStringIterator(HttpHeaderNames.HOST);
    if (!hosts.hasNext()) return isHttp10;
    return HeaderSyntax.isHost(hosts.next()) && !hosts.hasNext();
  }

  /** Whether there is one content-length, made of digits only. */
  private static boolean isLengthRight(List<String> fields) {
    String field = fields.getFirst();
    if (fields.size() > 1 || field.isEmpty() || field.length() > 18) return false;
    for (int i = 0; i < field.length(); i++) {
      if (field.charAt(i) < '0' || field.charAt(i) > '9') return false;
    }
    return true;
  }
}
