package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import clojure.java.api.Clojure;
import groovy.lang.GroovyShell;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlin.coroutines.jvm.internal.SuspendFunction;
import kotlin.jvm.functions.Function2;
import kotlin.jvm.functions.Function3;
import kotlinx.coroutines.DelayKt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of Java and of other languages, with one to three parameters. */
@Timeout(60)
class FunctionsTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Reactor reactor = Reactor.create();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();

  private static Object groovy(String code) {
    return new GroovyShell().evaluate(code);
  }

  private static Object clojure(String code) {
    Object form = Clojure.var("clojure.core", "read-string").invoke(code);
    return Clojure.var("clojure.core", "eval").invoke(form);
  }

  /** A suspending function of Kotlin as its compiler makes it. */
  private static final class Suspending
      implements Function2<Event<Object>, Continuation<Object>, Object>, SuspendFunction {
    @Override
    public Object invoke(Event<Object> event, Continuation<Object> continuation) {
      var unused = Thread.ofVirtual().start(() -> continuation.resumeWith("a7" + event.payload()));
      return IntrinsicsKt.getCOROUTINE_SUSPENDED();
    }
  }

  /** A suspending function that does not suspend. */
  private static final class Immediate
      implements Function3<Object, EventMeta, Continuation<Object>, Object>, SuspendFunction {
    @Override
    public Object invoke(Object payload, EventMeta meta, Continuation<Object> continuation) {
      return "a" + meta.id() + payload;
    }
  }

  static Stream<Object> functions() {
    Function<Event<Object>, Object> java1 = event -> "a" + event.meta().id() + event.payload();
    BiFunction<Object, EventMeta, Object> java2 = (payload, meta) -> "a" + meta.id() + payload;
    scala.Function1<Event<Object>, Object> scala1 = java1::apply;
    scala.Function2<Object, EventMeta, Object> scala2 = java2::apply;
    scala.Function3<String, Object, EventMeta, Object> scala3 =
        (key, payload, meta) -> key + meta.id() + payload;
    Function2<Object, EventMeta, Object> kotlin2 = java2::apply;
    Function3<String, Object, EventMeta, Object> kotlin3 = scala3::apply;
    return Stream.of(
        java1,
        java2,
        scala1,
        scala2,
        scala3,
        kotlin2,
        kotlin3,
        new Suspending(),
        new Immediate(),
        groovy("return { event -> 'a' + event.meta().id() + event.payload() }"),
        groovy("return { 'a' + it.meta().id() + it.payload() }"),
        groovy("return { payload, meta -> 'a' + meta.id() + payload }"),
        groovy("return { key, payload, meta -> key + meta.id() + payload }"),
        clojure("(fn [e] (str \"a\" (.id (.meta e)) (.payload e)))"),
        clojure("(fn [payload meta] (str \"a\" (.id meta) payload))"),
        clojure("(fn [key payload meta] (str key (.id meta) payload))"),
        clojure("(fn [& all] (str \"a\" (.id (.meta (first all))) (.payload (first all))))"));
  }

  @ParameterizedTest
  @MethodSource("functions")
  void onFunction_anyArity_getsItsArguments(Object function) {
    reactor.onFunction("a", function);
    EventMeta meta = EventMeta.none().id("7");
    assertThat(reactor.call("a", "x", LONG, meta).join()).hasToString("a7x");
  }

  @Test
  void onFunction_consumers_answerNothing() {
    Consumer<Event<Object>> one = event -> seen.add(event.payload());
    BiConsumer<Object, EventMeta> two = (payload, meta) -> seen.add(payload);
    reactor.onFunction("a", one);
    reactor.onFunction("a", two);
    assertThat(reactor.emit("a", 1)).isEqualTo(2);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(seen).containsExactly(1, 1);
  }

  @Test
  void handleFunction_keepsTheOptions() {
    Registration registration =
        reactor.at("a/{id}").named("greeting").handleFunction(groovy("return { it.param('id') }"));
    assertThat(registration.name()).isEqualTo("greeting");
    assertThat(reactor.call("a/x", 1, LONG).join()).isEqualTo("x");
  }

  @Test
  void onFunction_resultIsAFuture_isAwaited() {
    Function<Event<Object>, Future<?>> later =
        event -> ForkJoinPool.commonPool().submit(() -> event.key() + event.payload());
    reactor.onFunction("a", later);
    assertThat(reactor.call("a", 1, LONG).join()).isEqualTo("a1");
  }

  @Test
  void onFunction_handlerInterrupted_cancelsTheFuture() throws InterruptedException {
    reactor.onError((event, error) -> {});
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Object> endless = new CompletableFuture<>();
    Function<Event<Object>, Object> function =
        event -> {
          begun.countDown();
          return endless;
        };
    reactor.onFunction("a", function);
    CompletableFuture<Integer> delivery = reactor.deliver("a", 1);
    begun.await();
    delivery.cancel(true);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(endless).isCancelled();
  }

  @Test
  void onFunction_notAFunction_throws() {
    assertThatThrownBy(() -> reactor.onFunction("c", "text"))
        .hasMessage("not a function: class=java.lang.String");
  }

  @Test
  void of_twoParameters_throws() {
    BiFunction<Object, Object, Object> two = (a, b) -> a;
    assertThatThrownBy(() -> Functions.of(two))
        .hasMessageStartingWith("one parameter expected: parameters=2, class ");
  }

  /** A suspending function that would suspend for 292 million years. */
  private static final class Endless
      implements Function2<Object, Continuation<Unit>, Object>, SuspendFunction {
    private final CountDownLatch begun = new CountDownLatch(1);

    @Override
    public @Nullable Object invoke(Object event, Continuation<Unit> continuation) {
      begun.countDown();
      return DelayKt.delay(Long.MAX_VALUE - 1, continuation);
    }
  }

  @Test
  void suspending_handlerInterrupted_cancelsTheCoroutine() throws InterruptedException {
    reactor.onError((event, error) -> seen.add(error.getClass().getSimpleName()));
    Endless endless = new Endless();
    reactor.onFunction("a", endless);
    CompletableFuture<Integer> delivery = reactor.deliver("a", 1);
    endless.begun.await();
    delivery.cancel(true);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(seen).containsExactly("InterruptedException");
  }
}
