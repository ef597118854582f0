package dev.kermes.http;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request, and the means to answer it. Only its handler may read it; any thread may call {@link
 * #respond}, once.
 */
public interface HttpMessage {

  /** The method: GET, POST, ... */
  String method();

  /** The path, decoded and normalised: without {@code ..}, empty segments and NUL characters. */
  String path();

  /**
   * The part of the path that the route's pattern captured under this name.
   *
   * @throws IllegalArgumentException if the pattern has no such name
   */
  String pathParam(String name);

  /** All parts of the path that the route's pattern captured, by name. */
  Map<String, String> pathParams();

  /** The query as it was sent, without its question mark; null if there is none. */
  @Nullable String queryString();

  /** The first value of a query parameter; null if there is none. */
  @Nullable String query(String name);

  /** All query parameters, decoded, in the order of the query. */
  Map<String, List<String>> queryAll();

  /** The first value of a header field; case of the name is ignored. Null if there is none. */
  @Nullable String header(String name);

  /** All values of a header field, in the order of the request. */
  List<String> headers(String name);

  /** All header fields; the map ignores the case of names. */
  Map<String, List<String>> headers();

  /** The value of a cookie; null if there is none. */
  @Nullable String cookie(String name);

  /** All cookies; if several have the same name, the first one. */
  Map<String, String> cookies();

  /** The protocol: {@code HTTP/1.0}, {@code HTTP/1.1} or {@code HTTP/2}. */
  String protocol();

  /** {@code https} if the connection is encrypted, otherwise {@code http}. */
  String scheme();

  /** The client's address: {@code 127.0.0.1:4242}. */
  String remoteAddress();

  /**
   * The body; waits until it is complete.
   *
   * @throws HttpException 413 if it is longer than {@link HttpLimits#bodyMax}, 503 if the bodies of
   *     all requests would take more than {@link HttpLimits#bodiesMax}
   */
  byte[] bytes();

  /** The body as UTF-8 text, which takes its memory again; like {@link #bytes}. */
  String text();

  /**
   * The body as an object, parsed from JSON by Jackson, which the application must provide.
   *
   * @throws HttpException 400 if it is not JSON of that type
   */
  <T> T json(Class<T> type);

  /**
   * The body as it arrives, of any length up to {@link HttpLimits#uploadMax}. The server reads from
   * the client no faster than this stream is read. Not for handlers on the loop.
   */
  InputStream stream();

  /**
   * The parts of a form as they arrive; may be iterated once. The unread rest of a part is skipped
   * when the next part is requested. Not for handlers on the loop.
   *
   * @throws HttpException 415 if the body is not multipart/form-data, 400 if it is malformed, 413
   *     if it has more than 1,000 parts
   */
  Iterable<Part> parts();

  /**
   * The decoded fields of an application/x-www-form-urlencoded form, in the order of the body.
   *
   * @throws HttpException 415 if the body has another type, 413 like {@link #bytes}
   */
  Map<String, List<String>> form();

  /**
   * Sends the response.
   *
   * @throws IllegalStateException if the handler has responded before
   */
  void respond(Response response);
}
