package dev.kermes.http.internal.http2;

import dev.kermes.http.Response;
import dev.kermes.http.internal.syntax.HeaderSyntax;
import dev.kermes.http.internal.syntax.HttpDates;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Converts header fields between HTTP/2 and HTTP/1; RFC 9113, 8. */
public final class Http2Fields {

  private static final Set<String> OF_CONNECTIONS =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  private Http2Fields() {}

  /**
   * The fields of a request, with its authority as Host and its cookies joined into one field;
   * 8.2.3 and 8.3.1.
   */
  static HttpHeaders request(Http2Headers headers) {
    DefaultHttpHeaders fields =
        (DefaultHttpHeaders)
            DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
    for (Map.Entry<CharSequence, CharSequence> header : headers) {
      CharSequence name = header.getKey();
      if (name.charAt(0) != ':') fields.add(name, header.getValue());
    }
    CharSequence authority = headers.authority();
    // A Host that differs from the authority is kept: a request with two hosts is refused.
    boolean isSame = authority != null && fields.contains(HttpHeaderNames.HOST, authority, true);
    if (isSame) fields.set(HttpHeaderNames.HOST, authority);
    else if (authority != null) fields.add(HttpHeaderNames.HOST, authority);
    List<String> cookies = fields.getAll(HttpHeaderNames.COOKIE);
    if (cookies.size() > 1) fields.set(HttpHeaderNames.COOKIE, String.join("; ", cookies));
    return fields;
  }

  /** Whether a head has the mandatory pseudo-fields of a request, or is a CONNECT; 8.3.1. */
  static boolean isRequest(Http2Headers headers) {
    CharSequence method = headers.method();
    if (method == null) return false;
    CharSequence path = headers.path();
    boolean isWhole = headers.scheme() != null && path != null && !path.isEmpty();
    return isWhole || method.toString().equals("CONNECT");
  }

  static boolean hasPseudo(Http2Headers trailers) {
    for (CharSequence name : trailers.names()) if (name.charAt(0) == ':') return true;
    return false;
  }

  /** 0, or the status to refuse with. Does not repeat the checks of Netty's codec. */
  static int refusal(Http2Headers headers, HttpHeaders fields) {
    if (!HeaderSyntax.isToken(headers.method())) return 400;
    if (headers.method().toString().equals("CONNECT")) return 501;
    if (!isHttp(headers.scheme().toString())) return 400;
    List<String> hosts = fields.getAll(HttpHeaderNames.HOST);
    if (hosts.size() != 1 || !HeaderSyntax.isHost(hosts.getFirst())) return 400;
    for (Map.Entry<CharSequence, CharSequence> header : headers) {
      if (!HeaderSyntax.isValue(header.getValue())) return 400;
    }
    String expect = fields.get(HttpHeaderNames.EXPECT);
    return expect == null || expect.equalsIgnoreCase("100-continue") ? 0 : 417;
  }

  private static boolean isHttp(String scheme) {
    return scheme.equals("http") || scheme.equals("https");
  }

  /** The fields of a response: names in lower case, without connection-specific fields. */
  static Http2Headers response(int status, List<Response.Header> headers, long length) {
    Http2Headers fields = new DefaultHttp2Headers(false, headers.size() + 4);
    fields.status(Integer.toString(status));
    fields.add(HttpHeaderNames.DATE, HttpDates.now());
    for (Response.Header header : headers) {
      String name = header.name().toLowerCase(Locale.ROOT);
      if (!OF_CONNECTIONS.contains(name)) fields.add(name, header.value());
    }
    if (length >= 0) fields.add(HttpHeaderNames.CONTENT_LENGTH, Long.toString(length));
    return fields;
  }

  /** The fields of an interim response. */
  static Http2Headers interim(int status) {
    return new DefaultHttp2Headers(false, 1).status(Integer.toString(status));
  }
}
