package dev.kermes.http.internal.exchange;

import dev.kermes.http.HttpException;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.Part;
import dev.kermes.http.Response;
import dev.kermes.http.internal.body.Json;
import dev.kermes.http.internal.forms.MultipartReader;
import dev.kermes.http.internal.routing.Router;
import dev.kermes.http.internal.syntax.Query;
import dev.kermes.http.internal.syntax.RequestPath;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request of either protocol, and the means to answer it. Owned by its handler. */
public final class Request implements HttpMessage {

  private static final String FORM = "application/x-www-form-urlencoded";

  private final String method;
  private final RequestPath target;
  private final HttpHeaders headers;
  private final Exchange exchange;
  private Router.@Nullable Route route;
  private @Nullable Map<String, List<String>> query;

  Request(String method, RequestPath target, HttpHeaders headers, Exchange exchange) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.exchange = exchange;
  }

  void route(Router.Route found) {
    route = found;
  }

  public HttpHeaders fields() {
    return headers;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return target.path();
  }

  @Override
  public String pathParam(String name) {
    String value = route == null ? null : route.pattern().capture(path(), name);
    if (value == null) throw new IllegalArgumentException("no such path parameter: name=" + name);
    return value;
  }

  @Override
  public Map<String, String> pathParams() {
    return route == null ? Map.of() : route.pattern().captures(path());
  }

  @Override
  public @Nullable String queryString() {
    return target.query();
  }

  @Override
  public @Nullable String query(String name) {
    List<String> values = queryAll().get(name);
    return values == null ? null : values.getFirst();
  }

  @Override
  public Map<String, List<String>> queryAll() {
    if (query == null) query = Query.parse(target.query());
    return query;
  }

  @Override
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  @Override
  public List<String> headers(String name) {
    return headers.getAll(name);
  }

  @Override
  public Map<String, List<String>> headers() {
    Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(field ->
        all.computeIfAbsent(field.getKey(), name -> new ArrayList<>()).add(field.getValue()));
    return Collections.unmodifiableMap(all);
  }

  @Override
  public @Nullable String cookie(String name) {
    return cookies().get(name);
  }

  @Override
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

  @Override
  public String protocol() {
    return exchange.protocol();
  }

  @Override
  public String scheme() {
    return exchange.isEncrypted() ? "https" : "http";
  }

  @Override
  public String remoteAddress() {
    return exchange.remoteAddress();
  }

  @Override
  public byte[] bytes() {
    return exchange.body().all(lengthWithinMax());
  }

  @Override
  public String text() {
    return exchange.body().text(lengthWithinMax());
  }

  /** The declared length, or -1. */
  private long lengthWithinMax() {
    long declared = Exchange.declaredLength(headers);
    int max = exchange.server.limits().bodyMax();
    if (declared > max) throw new HttpException(413, "body too long: max=" + max);
    return declared;
  }

  @Override
  public <T> T json(Class<T> type) {
    return Json.read(bytes(), type);
  }

  @Override
  public InputStream stream() {
    return exchange.body().stream();
  }

  @Override
  public Iterable<Part> parts() {
    MultipartReader reader =
        MultipartReader.of(header("content-type"), stream(), exchange.server.limits().bodyMax());
    return () -> reader;
  }

  @Override
  public Map<String, List<String>> form() {
    String type = header("content-type");
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase(FORM)) {
      throw new HttpException(415, FORM + " is expected here");
    }
    return Query.parse(text());
  }

  public void upgrade(Upgrade upgrade) {
    exchange.upgrade(this, upgrade);
  }

  @Override
  public void respond(Response response) {
    exchange.respond(this, response);
  }
}
