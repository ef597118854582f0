package dev.kermes.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request, and the means to answer it. Only its handler may read it; any thread may call {@link
 * #respond}, once.
 */
public final class HttpMessage {

  private static final String FORM = "application/x-www-form-urlencoded";

  private final String method;
  private final RequestPath target;
  private final HttpHeaders headers;
  private final Exchange exchange;
  private Router.@Nullable Route route;
  private @Nullable Map<String, List<String>> query;

  HttpMessage(String method, RequestPath target, HttpHeaders headers, Exchange exchange) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.exchange = exchange;
  }

  void route(Router.Route found) {
    route = found;
  }

  HttpHeaders fields() {
    return headers;
  }

  /** The method: GET, POST, ... */
  public String method() {
    return method;
  }

  /** The path, decoded and normalised: without {@code ..}, empty segments and NUL characters. */
  public String path() {
    return target.path();
  }

  /**
   * The part of the path that the route's pattern captured under this name.
   *
   * @throws IllegalArgumentException if the pattern has no such name
   */
  public String pathParam(String name) {
    String value = route == null ? null : route.pattern().capture(path(), name);
    if (value == null) throw new IllegalArgumentException("no such path parameter: name=" + name);
    return value;
  }

  /** All parts of the path that the route's pattern captured, by name. */
  public Map<String, String> pathParams() {
    return route == null ? Map.of() : route.pattern().captures(path());
  }

  /** The query as it was sent, without its question mark; null if there is none. */
  public @Nullable String queryString() {
    return target.query();
  }

  /** The first value of a query parameter; null if there is none. */
  public @Nullable String query(String name) {
    List<String> values = queryAll().get(name);
    return values == null ? null : values.getFirst();
  }

  /** All query parameters, decoded, in the order of the query. */
  public Map<String, List<String>> queryAll() {
    if (query == null) query = Query.parse(target.query());
    return query;
  }

  /** The first value of a header field; case of the name is ignored. Null if there is none. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** All values of a header field, in the order of the request. */
  public List<String> headers(String name) {
    return headers.getAll(name);
  }

  /** All header fields; the map ignores the case of names. */
  public Map<String, List<String>> headers() {
    Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(field ->
        all.computeIfAbsent(field.getKey(), name -> new ArrayList<>()).add(field.getValue()));
    return Collections.unmodifiableMap(all);
  }

  /** The value of a cookie; null if there is none. */
  public @Nullable String cookie(String name) {
    return cookies().get(name);
  }

  /** All cookies; if several have the same name, the first one. */
  public Map<String, String> cookies() {
    Map<String, String> cookies = new LinkedHashMap<>();
    for (String field : headers.getAll("cookie")) {
      for (String pair : field.split(";")) {
        int equals = pair.indexOf('=');
        if (equals <= 0) continue;
        cookies.putIfAbsent(pair.substring(0, equals).trim(), pair.substring(equals + 1).trim());
      }
    }
    return cookies;
  }

  /** The protocol: {@code HTTP/1.0}, {@code HTTP/1.1} or {@code HTTP/2}. */
  public String protocol() {
    return exchange.protocol();
  }

  /** {@code https} if the connection is encrypted, otherwise {@code http}. */
  public String scheme() {
    return exchange.isEncrypted() ? "https" : "http";
  }

  /** The client's address: {@code 127.0.0.1:4242}. */
  public String remoteAddress() {
    return exchange.remoteAddress();
  }

  /**
   * The body; waits until it is complete.
   *
   * @throws HttpException 413 if it is longer than {@link HttpLimits#bodyMax}
   */
  public byte[] bytes() {
    int max = exchange.server.limits().bodyMax();
    if (Exchange.declaresMoreThan(headers, max)) {
      throw new HttpException(413, "body too long: max=" + max);
    }
    return exchange.body().all();
  }

  /** The body as UTF-8 text; like {@link #bytes}. */
  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /**
   * The body as an object, parsed from JSON by Jackson, which the application must provide.
   *
   * @throws HttpException 400 if it is not JSON of that type
   */
  public <T> T json(Class<T> type) {
    return Json.read(bytes(), type);
  }

  /**
   * The body as it arrives, of any length up to {@link HttpLimits#uploadMax}. The server reads from
   * the client no faster than this stream is read. Not for handlers on the loop.
   */
  public InputStream stream() {
    return exchange.body().stream();
  }

  /**
   * The parts of a form as they arrive; may be iterated once. The unread rest of a part is skipped
   * when the next part is requested. Not for handlers on the loop.
   *
   * @throws HttpException 415 if the body is not multipart/form-data, 400 if it is malformed, 413
   *     if it has more than 1,000 parts
   */
  public Iterable<Part> parts() {
    MultipartReader reader =
        MultipartReader.of(header("content-type"), stream(), exchange.server.limits().bodyMax());
    return () -> reader;
  }

  /**
   * The decoded fields of an application/x-www-form-urlencoded form, in the order of the body.
   *
   * @throws HttpException 415 if the body has another type, 413 like {@link #bytes}
   */
  public Map<String, List<String>> form() {
    String type = header("content-type");
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase(FORM)) {
      throw new HttpException(415, FORM + " is expected here");
    }
    return Query.parse(text());
  }

  void upgrade(WebSocketRoute route) {
    exchange.upgrade(this, route);
  }

  /**
   * Sends the response.
   *
   * @throws IllegalStateException if the handler has responded before
   */
  public void respond(Response response) {
    exchange.respond(this, response);
  }
}
