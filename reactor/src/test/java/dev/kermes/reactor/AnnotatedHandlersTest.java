package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.MethodInterceptor;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;

/** Objects whose annotated methods are handlers. */
@Timeout(60)
class AnnotatedHandlersTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static final Queue<Object> SEEN = new ConcurrentLinkedQueue<>();

  private final Reactor reactor = Reactor.create();

  AnnotatedHandlersTest() {
    SEEN.clear();
  }

  private @Nullable Object call(String key, Object payload) {
    return reactor.call(key, payload, LONG).join();
  }

  private void emit(String key, Object payload) {
    assertThat(reactor.emit(key, payload)).isEqualTo(1);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
  }

  /** A handler as an object. */
  @On("orders/")
  public static class Orders {

    @On("{id}")
    public int store(Integer amount) {
      SEEN.add(amount);
      return amount + 1;
    }

    @On(value = "{id}/lines", order = Order.SERIAL, name = "lines")
    public void lines(Event<Object> event) {
      SEEN.add(event.param("id"));
    }

    @On("bad")
    public void fail(String text) throws Exception {
      throw new Exception(text);
    }
  }

  @Test
  void register_object_registersItsAnnotatedMethods() {
    assertThat(reactor.register(new Orders()))
        .extracting(Registration::name)
        .containsExactlyInAnyOrder("Orders.store", "lines", "Orders.fail");
    assertThat(call("orders/7", 41)).isEqualTo(42);
    emit("orders/7/lines", "x");
    assertThat(SEEN).containsExactly(41, "7");
    reactor.onError((event, error) -> {});
    assertThatThrownBy(() -> call("orders/bad", "why")).hasRootCauseMessage("why");
  }

  @Test
  void register_objectWithoutHandlers_throws() {
    assertThatThrownBy(() -> reactor.register("text"))
        .hasMessage("no method is a handler: class=java.lang.String");
  }

  // ---- arguments

  /** A method with several parameters of all kinds. */
  public static final class Shipping {

    @On("ship/{id}/{kind}")
    public String ship(
        String payload,
        @Param("id") long id,
        TimeUnit kind,
        @Header("trace") @Nullable String trace,
        EventMeta meta,
        Event<Object> event) {
      return payload + id + kind + trace + meta.id() + event.key().length();
    }
  }

  @Test
  void parameters_getPayloadPartsHeadersAndMeta() {
    reactor.register(new Shipping());
    EventMeta meta = EventMeta.none().id("i").header("trace", "t");
    assertThat(reactor.call("ship/7/DAYS", "p", LONG, meta).join()).isEqualTo("p7DAYSti11");
    assertThat(call("ship/7/DAYS", "p")).isEqualTo("p7DAYSnullnull11");
  }

  @Test
  void parameter_textOfAnotherType_failsTheEvent() {
    reactor.onError((event, error) -> {});
    reactor.register(new Shipping());
    assertThatThrownBy(() -> call("ship/x/DAYS", "p"))
        .hasRootCauseInstanceOf(NumberFormatException.class);
    assertThatThrownBy(() -> call("ship/7/x", "p")).hasMessageContaining("not a TimeUnit: text=x");
  }

  @Test
  void conversion_ofSpring_isUsed() {
    reactor.conversion(new DefaultConversionService()::convert).register(new Shipping());
    assertThat(call("ship/7/DAYS", "p")).isEqualTo("p7DAYSnullnull11");
  }

  /** Only one parameter can be the payload. */
  public static final class Ambiguous {
    @On("a")
    public void handle(String first, Integer second) {}
  }

  @Test
  void parameters_severalPayloads_throws() {
    assertThatThrownBy(() -> reactor.register(new Ambiguous()))
        .hasMessageStartingWith("one payload expected: method=");
  }

  /** A method that fails once, and one whose result comes later. */
  public static final class Later {
    private int calls;

    @On(value = "flaky", retries = 3)
    public int flaky() throws IOException {
      if (calls++ == 0) throw new IOException("first");
      return calls;
    }

    @On("later")
    public CompletableFuture<String> later(String text) {
      return CompletableFuture.supplyAsync(() -> {
        if (text.isEmpty()) throw new IllegalStateException("empty");
        return text;
      });
    }
  }

  @Test
  void retries_ofTheAnnotation_repeatTheMethod() {
    reactor.register(new Later());
    assertThat(call("flaky", "")).isEqualTo(2);
  }

  @Test
  void stage_isAwaited() {
    reactor.onError((event, error) -> {});
    reactor.register(new Later());
    assertThat(call("later", "x")).isEqualTo("x");
    assertThatThrownBy(() -> reactor.deliver("later", "").join()).hasRootCauseMessage("empty");
  }

  // ---- proxies

  @Test
  void proxy_subclassOfAnnotatedClass_isRecognised() {
    MethodInterceptor interceptor =
        (object, method, arguments, proxy) -> {
          SEEN.add("before " + method.getName());
          return proxy.invokeSuper(object, arguments);
        };
    Object proxy = Enhancer.create(Orders.class, interceptor);
    assertThat(proxy.getClass()).isNotEqualTo(Orders.class);
    assertThat(reactor.register(proxy)).hasSize(3);
    assertThat(call("orders/7", 41)).isEqualTo(42);
    assertThat(SEEN).containsExactly("before store", 41);
  }

  /** An interface with annotations. */
  @On("prices/")
  public interface Prices {
    /** The price of an item. */
    @On("{item}")
    int price(String currency, @Param("item") String item);
  }

  private static <T> T proxy(Class<T> face) {
    Object proxy =
        Proxy.newProxyInstance(
            face.getClassLoader(),
            new Class<?>[] {face},
            (self, method, arguments) -> arguments[1].toString().length());
    return face.cast(proxy);
  }

  @Test
  void proxy_ofAnnotatedInterface_isRecognised() {
    reactor.register(proxy(Prices.class));
    assertThat(call("prices/book", "EUR")).isEqualTo(4);
  }

  /** The same without annotations, which are on the target of the proxy. */
  public interface Plain {
    /** The price of an item. */
    int price(String currency, String item);
  }

  /** The target. */
  public static final class Annotated implements Plain {
    @On("prices/{item}")
    @Override
    public int price(String currency, @Param("item") String item) {
      throw new IllegalStateException("not called through the proxy");
    }
  }

  /** A target with a method that the proxy does not have. */
  public static final class Unreachable {
    @On("a")
    public void handle(String text) {}
  }

  @Test
  void proxy_annotationsOnTheTarget_callsTheProxy() {
    Plain proxy = proxy(Plain.class);
    assertThatThrownBy(() -> reactor.register(proxy)).hasMessageStartingWith("no method is");
    reactor.register(proxy, Annotated.class, EventStrategy.standard());
    assertThat(call("prices/book", "EUR")).isEqualTo(4);
    List<EventStrategy> standard = EventStrategy.standard();
    assertThatThrownBy(() -> reactor.register(proxy, Unreachable.class, standard))
        .hasMessageStartingWith("the proxy does not have it: method=");
  }

  // ---- other annotations

  /** A resource of JAX-RS: one method is a route of HTTP, the other an event handler. */
  @Path("/orders")
  public static final class Resource {
    @GET
    @Path("/{id}")
    public String get(@PathParam("id") String id) {
      return id;
    }

    @Path("/{id}/paid")
    public String paid(Integer sum, @PathParam("id") int id, @HeaderParam("trace") String trace) {
      return id + "/" + sum + trace;
    }
  }

  @Test
  void jaxRs_pathWithoutHttpMethod_isAHandler() {
    assertThat(reactor.register(new Resource())).hasSize(1);
    assertThat(call("orders/7/paid", 5)).isEqualTo("7/5null");
  }

  /** A controller of Spring Messaging. */
  @MessageMapping("orders")
  public static final class Controller {
    @MessageMapping("/{id}")
    public String handle(
        @Payload String order,
        @DestinationVariable int id,
        @org.springframework.messaging.handler.annotation.Header("trace") String trace) {
      return order + id + trace;
    }
  }

  @Test
  void springMessaging_mapping_isAHandler() {
    reactor.register(new Controller());
    assertThat(call("orders/7", "order")).isEqualTo("order7null");
  }

  /** Methods that are named after events. */
  public static final class Named {
    public String onPaid(Object payload) {
      return "paid " + payload;
    }
  }

  @Test
  void register_ownStrategy_mapsMethods() {
    EventStrategy byName =
        (type, method) ->
            method.getName().startsWith("on")
                ? List.of(
                    new EventStrategy.Mapping(
                        method.getName().substring(2),
                        List.of(new EventStrategy.Argument(EventStrategy.From.KEY, "")),
                        HandlerSpec::serial))
                : List.of();
    reactor.register(new Named(), List.of(byName));
    assertThat(call("Paid", 1)).isEqualTo("paid Paid");
  }

  @Test
  void register_strategyWithTooFewArguments_throws() {
    EventStrategy bad =
        (type, method) -> List.of(new EventStrategy.Mapping("a", List.of(), spec -> {}));
    assertThatThrownBy(() -> reactor.register(new Named(), List.of(bad)))
        .hasMessageStartingWith("one argument per parameter expected: method=");
  }
}
