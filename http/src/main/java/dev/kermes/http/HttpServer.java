package dev.kermes.http;

import dev.kermes.http.internal.exchange.ServerContext;
import dev.kermes.http.internal.files.DirectoryHandler;
import dev.kermes.http.internal.routing.MethodHandler;
import dev.kermes.http.internal.routing.Router;
import dev.kermes.http.internal.server.Listener;
import dev.kermes.http.internal.server.Tls;
import dev.kermes.http.internal.syntax.Addresses;
import dev.kermes.http.internal.websocket.WebSocketRoute;
import dev.kermes.net.Transport;
import dev.kermes.reactor.Conversion;
import dev.kermes.reactor.Functions;
import dev.kermes.reactor.RoutePattern;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server in this JVM.
 *
 * <pre>{@code
 * try (HttpServer server = new HttpServer(3000)
 *     .get("/hello/{name}", request -> request.respond(ok("Hello " + request.pathParam("name"))))
 *     .files("/static/{file}**", Path.of("public"))
 *     .start()) { … }
 * }</pre>
 *
 * <p>Patterns are those of {@link RoutePattern}. Of the patterns that match a path and have a
 * handler for its method, the most specific one answers. Routes may be added before and after the
 * start. Any thread.
 */
public final class HttpServer implements AutoCloseable {

  private final int wantedPort;
  private final Router router = new Router();
  private String host = "127.0.0.1";
  private int loops = Runtime.getRuntime().availableProcessors();
  private String transport = "auto";
  private HttpLimits limits = HttpLimits.DEFAULT;
  private @Nullable AccessLog log;
  private boolean compresses;
  private Conversion conversion = Conversion.standard();
  private @Nullable SslContext tls;
  private @Nullable Listener listener;

  /** Creates a server for a port of the loopback address; 0 selects a free port. */
  public HttpServer(int port) {
    wantedPort = port;
  }

  // ---- routes

  /** Adds a handler for every method that has no handler of its own. */
  public HttpServer on(String pattern, HttpHandler handler) {
    return on(Router.ANY, pattern, handler);
  }

  /**
   * Adds a handler for one method.
   *
   * @throws IllegalArgumentException if the pattern is bad, or has a handler for this method
   */
  public HttpServer on(String method, String pattern, HttpHandler handler) {
    router.add(method, RoutePattern.of(pattern), handler);
    return this;
  }

  /** Adds a handler for GET, and for HEAD if HEAD has no handler of its own. */
  public HttpServer get(String pattern, HttpHandler handler) {
    return on("GET", pattern, handler);
  }

  /** Adds a handler for POST. */
  public HttpServer post(String pattern, HttpHandler handler) {
    return on("POST", pattern, handler);
  }

  /** Adds a handler for PUT. */
  public HttpServer put(String pattern, HttpHandler handler) {
    return on("PUT", pattern, handler);
  }

  /** Adds a handler for PATCH. */
  public HttpServer patch(String pattern, HttpHandler handler) {
    return on("PATCH", pattern, handler);
  }

  /** Adds a handler for DELETE. */
  public HttpServer delete(String pattern, HttpHandler handler) {
    return on("DELETE", pattern, handler);
  }

  /**
   * Accepts WebSocket handshakes. Cross-origin handshakes are rejected, so that another site cannot
   * act for a logged-in user.
   */
  public HttpServer webSocket(String pattern, WebSocketHandler handler) {
    return webSocket(pattern, Set.of(), handler);
  }

  /**
   * Accepts WebSocket handshakes, also from pages of other origins.
   *
   * @param origins {@code https://host[:port]}; {@code *} allows all origins
   */
  public HttpServer webSocket(String pattern, Set<String> origins, WebSocketHandler handler) {
    return get(pattern, WebSocketRoute.of(handler, origins).onLoop());
  }

  /**
   * Serves the files of a directory, except those whose names begin with a dot.
   *
   * @param pattern a pattern that ends with {@code {name}**}, which captures the path of the file
   */
  public HttpServer files(String pattern, Path directory) {
    return files(pattern, StaticFiles.of(directory));
  }

  /** Serves the files of a directory, with options. */
  public HttpServer files(String pattern, StaticFiles files) {
    return get(pattern, new DirectoryHandler(RoutePattern.of(pattern), files).onLoop());
  }

  /** Adds a function of Groovy, Clojure, Scala, Kotlin or Java as a handler for every method. */
  public HttpServer onFunction(String pattern, Object function) {
    Functions.Invocable invocable = Functions.of(function);
    return on(
        pattern,
        request -> {
          Object unused = invocable.invoke(request);
        });
  }

  /**
   * Adds the annotated methods of an object as handlers. The annotations may be Kermes's own
   * ({@code @On}, {@link Get}), those of JAX-RS, or those of Spring MVC.
   */
  public HttpServer register(Object object) {
    return register(object, RouteStrategy.standard());
  }

  /**
   * Adds methods of an object as handlers. The first strategy that recognises a method determines
   * its routes.
   *
   * @throws IllegalArgumentException if no strategy recognises any method
   */
  public HttpServer register(Object object, List<RouteStrategy> strategies) {
    return register(object, object.getClass(), strategies);
  }

  /**
   * Adds methods of a proxy as handlers: those that another class declares with annotations.
   *
   * @param annotated the class behind the proxy
   * @throws IllegalArgumentException if no strategy recognises any method, or the proxy does not
   *     have it
   */
  public HttpServer register(Object proxy, Class<?> annotated, List<RouteStrategy> strategies) {
    boolean isKnown = false;
    for (Method method : annotated.getMethods()) {
      for (RouteStrategy strategy : strategies) {
        List<RouteStrategy.Route> routes = strategy.routesOf(annotated, method);
        for (RouteStrategy.Route route : routes) {
          Method callable = Functions.callable(proxy, method);
          on(
              route.method(),
              route.pattern(),
              new MethodHandler(proxy, callable, route, conversion));
        }
        isKnown |= !routes.isEmpty();
        if (!routes.isEmpty()) break;
      }
    }
    if (isKnown) return this;
    throw new IllegalArgumentException("no routes: class=" + annotated.getName());
  }

  // ---- options

  /**
   * Sets the conversion of path parameters, query parameters, fields and cookies to the types of
   * methods' parameters, for methods that are registered from now on.
   */
  public HttpServer conversion(Conversion texts) {
    conversion = texts;
    return this;
  }

  /** Sets the listening address: {@code 127.0.0.1} by default, {@code 0.0.0.0} for all. */
  public HttpServer host(String address) {
    host = address;
    return this;
  }

  /** Sets the number of event loops; by default one per processor. */
  public HttpServer loops(int count) {
    loops = count;
    return this;
  }

  /**
   * Sets the transport: {@code auto}, which selects the best one for files, {@code io_uring},
   * {@code epoll} or {@code nio}.
   */
  public HttpServer transport(String name) {
    transport = name;
    return this;
  }

  /**
   * Enables TLS, and HTTP/2 for clients that select it.
   *
   * @param chain the certificate chain in PEM, the server's own certificate first
   * @param key the private key in PEM, in PKCS 8 format
   */
  public HttpServer tls(Path chain, Path key) {
    tls = Tls.of(chain, key);
    return this;
  }

  /**
   * Enables TLS with the certificates of {@code context}, and HTTP/2 for clients that select it.
   */
  public HttpServer tls(SSLContext context) {
    tls = Tls.of(context);
    return this;
  }

  /**
   * Compresses text of 1 KiB and more for clients that accept gzip or deflate; off by default.
   * Leave it off if a response contains both secrets and text that the client sent, because its
   * compressed length can then reveal the secrets.
   */
  public HttpServer compress(boolean isOn) {
    compresses = isOn;
    return this;
  }

  /** Sets the limits. */
  public HttpServer limits(HttpLimits other) {
    limits = other;
    return this;
  }

  /** Sets the access log, which receives every response. */
  public HttpServer log(AccessLog other) {
    log = other;
    return this;
  }

  // ---- start and stop

  /**
   * Starts the server; it accepts connections when this returns.
   *
   * @throws UncheckedIOException if the address cannot be bound
   */
  public synchronized HttpServer start() {
    if (listener != null) throw new IllegalStateException("started already");
    ServerContext server = new ServerContext(router, limits, log, compresses);
    Listener starting = new Listener(server, chosenTransport(), loops, tls);
    try {
      starting.listen(new InetSocketAddress(host, wantedPort));
    } catch (IOException e) {
      starting.close();
      throw new UncheckedIOException(e.getMessage(), e);
    }
    listener = starting;
    return this;
  }

  private Transport chosenTransport() {
    return transport.equals("auto") ? Transport.bestForFiles() : Transport.named(transport);
  }

  /** The listening port. */
  public int port() {
    return started().port();
  }

  /** The root URL: {@code http://127.0.0.1:port}. */
  public String url() {
    return (tls == null ? "http://" : "https://") + Addresses.text(host, port());
  }

  /** The transport in use. */
  public String transport() {
    return started().transportName();
  }

  private synchronized Listener started() {
    if (listener == null) throw new IllegalStateException("not started");
    return listener;
  }

  /**
   * Stops accepting connections, lets requests in progress finish, then closes.
   *
   * @return how many connections were left after {@code grace}
   */
  public int stop(Duration grace) {
    Listener running = started();
    int left = running.drain(grace);
    running.close();
    return left;
  }

  /** Closes at once; does nothing if the server is not running. */
  @Override
  public synchronized void close() {
    if (listener != null) listener.close();
  }
}
