package dev.kermes.http;

import dev.kermes.net.Transport;
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
 * Patterns are those of {@link RoutePattern}; the most specific one that has a handler for the method
 * answers. Routes may be added before the start and later. Any thread.
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
  private @Nullable SslContext tls;
  private @Nullable Listener listener;

  /** A server for this port of the loopback address; 0 takes a free one. */
  public HttpServer(int port) {
    wantedPort = port;
  }

  // ---- routes

  /** Answers every method that has no handler of its own. */
  public HttpServer on(String pattern, HttpHandler handler) {
    return on(Router.ANY, pattern, handler);
  }

  /**
   * Answers one method.
   *
   * @throws IllegalArgumentException if the pattern is bad, or taken for this method
   */
  public HttpServer on(String method, String pattern, HttpHandler handler) {
    router.add(method, RoutePattern.of(pattern), handler);
    return this;
  }

  /** Answers GET, and HEAD if nobody else does. */
  public HttpServer get(String pattern, HttpHandler handler) {
    return on("GET", pattern, handler);
  }

  /** Answers POST. */
  public HttpServer post(String pattern, HttpHandler handler) {
    return on("POST", pattern, handler);
  }

  /** Answers PUT. */
  public HttpServer put(String pattern, HttpHandler handler) {
    return on("PUT", pattern, handler);
  }

  /** Answers PATCH. */
  public HttpServer patch(String pattern, HttpHandler handler) {
    return on("PATCH", pattern, handler);
  }

  /** Answers DELETE. */
  public HttpServer delete(String pattern, HttpHandler handler) {
    return on("DELETE", pattern, handler);
  }

  /**
   * Opens WebSockets. Pages of other origins may not, so that no page can speak in the name of
   * somebody who is logged in here.
   */
  public HttpServer webSocket(String pattern, WebSocketHandler handler) {
    return webSocket(pattern, Set.of(), handler);
  }

  /** The same for pages of other origins, {@code https://host[:port]}, too; {@code *} for all. */
  public HttpServer webSocket(String pattern, Set<String> origins, WebSocketHandler handler) {
    return get(pattern, WebSocketRoute.of(handler, origins).onLoop());
  }

  /**
   * Serves the files of a folder, those whose names begin with a dot left out.
   *
   * @param pattern ends with {@code {name}**}, which captures the path within the folder
   */
  public HttpServer files(String pattern, Path folder) {
    return files(pattern, StaticFiles.of(folder));
  }

  /** The same, with options. */
  public HttpServer files(String pattern, StaticFiles files) {
    return get(pattern, new DirectoryHandler(RoutePattern.of(pattern), files).onLoop());
  }

  /** Answers with a function of Groovy, Clojure, Scala, Kotlin or Java. */
  public HttpServer onFunction(String pattern, Object function) {
    Functions.Invocable invocable = Functions.of(function);
    return on(
        pattern,
        request -> {
          Object unused = invocable.invoke(request);
        });
  }

  /**
   * Answers with the methods of an object that have annotations: ours ({@code @On}, {@link Get}),
   * those of JAX-RS, or those of Spring MVC.
   */
  public HttpServer register(Object object) {
    return register(object, RouteStrategy.standard());
  }

  /**
   * Answers with the methods of an object; of these strategies the first that knows a method says
   * what it answers.
   *
   * @throws IllegalArgumentException if none knows any
   */
  public HttpServer register(Object object, List<RouteStrategy> strategies) {
    boolean isKnown = false;
    for (Method method : object.getClass().getMethods()) {
      for (RouteStrategy strategy : strategies) {
        List<RouteStrategy.Route> routes = strategy.routesOf(object.getClass(), method);
        for (RouteStrategy.Route route : routes) {
          on(route.method(), route.pattern(), new MethodHandler(object, method, route));
        }
        isKnown |= !routes.isEmpty();
        if (!routes.isEmpty()) break;
      }
    }
    if (isKnown) return this;
    throw new IllegalArgumentException("no routes: class=" + object.getClass().getName());
  }

  // ---- how it shall be

  /** The address that it listens on, {@code 127.0.0.1} by default; {@code 0.0.0.0} for all. */
  public HttpServer host(String address) {
    host = address;
    return this;
  }

  /** How many event loops; by default one per processor. */
  public HttpServer loops(int count) {
    loops = count;
    return this;
  }

  /** {@code auto}, the best one for files, or {@code io_uring}, {@code epoll}, {@code nio}. */
  public HttpServer transport(String name) {
    transport = name;
    return this;
  }

  /**
   * Speaks TLS, and with it HTTP/2 to clients that want it.
   *
   * @param chain certificates in PEM, the server's own first
   * @param key its private key in PEM, as of PKCS 8
   */
  public HttpServer tls(Path chain, Path key) {
    tls = Tls.of(chain, key);
    return this;
  }

  /** Speaks TLS with the certificates of {@code context}, and HTTP/2 to clients that want it. */
  public HttpServer tls(SSLContext context) {
    tls = Tls.of(context);
    return this;
  }

  /**
   * Compresses text of 1 KiB and more for clients that take gzip or deflate; off by default. Leave
   * it off where secrets and what a client sent come back in one response: lengths tell.
   */
  public HttpServer compress(boolean isOn) {
    compresses = isOn;
    return this;
  }

  /** What a client may take. */
  public HttpServer limits(HttpLimits other) {
    limits = other;
    return this;
  }

  /** Has {@code other} told of every response. */
  public HttpServer log(AccessLog other) {
    log = other;
    return this;
  }

  // ---- its life

  /**
   * Starts it; it accepts connections when this returns.
   *
   * @throws UncheckedIOException if it cannot listen
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

  /** The port that it listens on. */
  public int port() {
    return started().port();
  }

  /** The URL of its root: {@code http://127.0.0.1:port}. */
  public String url() {
    return (tls == null ? "http://" : "https://") + host + ":" + port();
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
   * Accepts no more connections, lets requests under way end, then closes; returns how many
   * connections were left when the time was over.
   */
  public int stop(Duration grace) {
    Listener running = started();
    int left = running.drain(grace);
    running.close();
    return left;
  }

  /** Closes at once; nothing happens if it does not run. */
  @Override
  public synchronized void close() {
    if (listener != null) listener.close();
  }
}
