package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.reactor.On;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Tests one object with annotations of three kinds. */
class AnnotatedRoutesTest {

  /** The value that is sent and stored. */
  public record Order(int id, String what) {}

  /** Kermes's own annotations. */
  @On("/orders")
  public static final class Own {
    @On("/{id}")
    @Get
    public void get(HttpMessage request, int id) {
      String size = request.query("size");
      String agent = String.valueOf(request.header("x-agent"));
      request.respond(ok(id + " " + (size == null ? "5" : size) + " " + agent));
    }

    @On("/files/{path}**")
    @Get
    public String rest(String path) {
      return path;
    }

    @On("")
    @Post
    public Order post(Order order) {
      return new Order(order.id() + 1, order.what());
    }
  }

  /** JAX-RS. */
  @jakarta.ws.rs.Path("orders")
  public static final class JaxRs {
    @GET
    @jakarta.ws.rs.Path("{id}")
    public String get(
        @PathParam("id") int id,
        @QueryParam("size") @DefaultValue("5") long size,
        @HeaderParam("x-agent") @Nullable String agent) {
      return id + " " + size + " " + agent;
    }

    @GET
    @jakarta.ws.rs.Path("files/{path: .*}")
    public String rest(@PathParam("path") String path) {
      return path;
    }

    @POST
    @Produces("application/json")
    public Order post(Order order) {
      return new Order(order.id() + 1, order.what());
    }
  }

  /** Spring MVC. */
  @RequestMapping("/orders")
  public static final class Spring {
    @GetMapping("/{id}")
    public String get(
        @PathVariable int id,
        @RequestParam(defaultValue = "5") long size,
        @RequestHeader(name = "x-agent", required = false) @Nullable String agent) {
      return id + " " + size + " " + agent;
    }

    @GetMapping("/files/{*path}")
    public String rest(@PathVariable String path) {
      return path;
    }

    @PostMapping
    public Order post(@RequestBody Order order) {
      return new Order(order.id() + 1, order.what());
    }
  }

  /** An interface that proxies implement. */
  public interface Greeter {
    String greet(StringBuilder name);
  }

  /** Has the annotations that its proxies lack. */
  public static final class AnnotatedGreeter implements Greeter {
    @On("/greet/{name}")
    @Get
    @Override
    public String greet(StringBuilder name) {
      return "hello " + name;
    }

    @On("/hidden")
    @Get
    public String hidden() {
      return "";
    }
  }

  private final HttpServer server = new HttpServer(0).start();

  @AfterEach
  void close() {
    server.close();
  }

  static Object[] dialects() {
    return new Object[] {new Own(), new JaxRs(), new Spring()};
  }

  /** Recognises one method. */
  private static List<RouteStrategy> only(String name) {
    RouteStrategy own = RouteStrategy.standard().getFirst();
    return List.of(
        (type, method) -> method.getName().equals(name) ? own.routesOf(type, method) : List.of());
  }

  @Test
  void register_proxy_callsItByTheAnnotationsOfItsClass() throws IOException {
    AnnotatedGreeter behind = new AnnotatedGreeter();
    List<String> called = new ArrayList<>();
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Greeter.class},
            (self, method, arguments) -> {
              called.add(method.getName());
              return method.invoke(behind, arguments);
            });
    server.conversion((text, type) -> new StringBuilder(text).reverse());
    server.register(proxy, AnnotatedGreeter.class, only("greet"));
    assertThat(Wire.get(server, "/greet/ann").text()).isEqualTo("hello nna");
    assertThat(called).containsExactly("greet");
    assertThatThrownBy(() -> server.register(proxy, AnnotatedGreeter.class, only("hidden")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the proxy does not have it")
        .hasMessageContaining("hidden");
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void register_object_convertsParametersAndResults(Object dialect) throws IOException {
    server.register(dialect);
    assertThat(Wire.get(server, "/orders/7").text()).isEqualTo("7 5 null");
    assertThat(Wire.get(server, "/orders/7?size=9", "X-Agent: me").text()).isEqualTo("7 9 me");
    assertThat(Wire.get(server, "/orders/x").status()).isEqualTo(400);
    assertThat(Wire.get(server, "/orders/files/a/b.js").text()).isEqualTo("a/b.js");
    String json = "{\"id\":1,\"what\":\"x\"}";
    Wire.Reply reply = post(json);
    assertThat(reply.text()).isEqualTo("{\"id\":2,\"what\":\"x\"}");
    assertThat(reply.header("content-type")).isEqualTo("application/json");
    assertThat(post("{").status()).isEqualTo(400);
  }

  private Wire.Reply post(String json) throws IOException {
    return Wire.ask(
        server,
        "POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: " + json.length() + "\r\n\r\n" + json);
  }

  /** Loads the classes without Jackson. */
  @Test
  void register_methodThatNeedsJsonWithoutJackson_throws() throws Exception {
    List<URL> urls = new ArrayList<>(List.of(root(HttpServer.class), root(getClass())));
    for (String property : List.of("java.class.path", "jdk.module.path")) {
      for (String path : System.getProperty(property, "").split(File.pathSeparator, -1)) {
        if (!path.isEmpty()) urls.add(Path.of(path).toUri().toURL());
      }
    }
    try (URLClassLoader loader = withoutJackson(urls.toArray(new URL[0]))) {
      Class<?> other = loader.loadClass(HttpServer.class.getName());
      Object bare = other.getConstructor(int.class).newInstance(0);
      Object routes = loader.loadClass(Own.class.getName()).getDeclaredConstructor().newInstance();
      assertThatThrownBy(() -> other.getMethod("register", Object.class).invoke(bare, routes))
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("JSON needs jackson-databind on the class path");
    }
  }

  /**
   * A class loader of these locations that ignores the class paths in manifests. Its parent is not
   * an application class loader, which would know the modules of this test.
   */
  private static URLClassLoader withoutJackson(URL[] places) {
    return new URLClassLoader(places, null) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.contains(".jackson.")) throw new ClassNotFoundException(name);
        return super.loadClass(name, resolve);
      }
    };
  }

  private static URL root(Class<?> type) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    URL url = requireNonNull(type.getResource("/" + file));
    return URI.create(url.toString().replace(file, "")).toURL();
  }

  @Test
  void register_objectWithoutRoutes_throws() {
    assertThatThrownBy(() -> server.register(Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no routes: class=");
  }
}
