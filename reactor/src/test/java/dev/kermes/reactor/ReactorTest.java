package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events from emission to handlers. */
@Timeout(60)
class ReactorTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Reactor reactor = Reactor.create();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();

  private void idle() {
    assertThat(reactor.awaitIdle(LONG)).isTrue();
  }

  @Test
  void emit_reachesEveryHandlerThatMatches() {
    reactor.on("orders/{id}", event -> seen.add(event.param("id") + event.payload()));
    reactor.on("orders/*", event -> seen.add("any"));
    reactor.on("orders/7", event -> seen.add("seven"));
    reactor.on("other", event -> seen.add("other"));
    assertThat(reactor.emit("orders/7", "!")).isEqualTo(3);
    idle();
    assertThat(seen).containsExactlyInAnyOrder("7!", "any", "seven");
  }

  @Test
  void emit_noMatchingHandler_isDropped() {
    reactor.onDropped((key, payload, reason) -> seen.add(key + payload + reason));
    reactor.at("a").of(Integer.class).handle(event -> seen.add("handled"));
    assertThat(reactor.emit("b", 1)).isZero();
    assertThat(reactor.emit("a", "text")).isZero();
    assertThat(seen).containsExactly("b1NO_HANDLER", "atextNO_HANDLER");
  }

  @Test
  void of_payloadType_selectsHandlers() {
    reactor.at("a").of(Integer.class).handle(event -> seen.add(event.payload() + 1));
    reactor.at("a").of(CharSequence.class).handle(event -> seen.add(event.payload().length()));
    reactor.emit("a", 41);
    reactor.emit("a", "four");
    idle();
    assertThat(seen).containsExactlyInAnyOrder(42, 4);
  }

  @Test
  void off_handlerGetsNoNewEvents() {
    Registration registration = reactor.on("a", event -> seen.add(event.payload()));
    reactor.emit("a", 1);
    registration.close();
    reactor.off(registration);
    assertThat(reactor.emit("a", 2)).isZero();
    idle();
    assertThat(seen).containsExactly(1);
  }

  // ---- calls

  @Test
  void call_handlerReplies_completesWithTheReply() {
    reactor.at("sum").of(int[].class).answer(event -> event.payload().length);
    assertThat(reactor.call("sum", new int[2], LONG).join()).isEqualTo(2);
  }

  @Test
  void call_handlerThrows_failsWithTheException() {
    reactor.onError((event, error) -> seen.add(error));
    IllegalStateException error = new IllegalStateException("no");
    reactor
        .at("a")
        .answer(event -> {
          throw error;
        });
    assertThatThrownBy(() -> reactor.call("a", 1, LONG).get())
        .isInstanceOf(ExecutionException.class)
        .hasCause(error);
    assertThat(seen).containsExactly(error);
  }

  @Test
  void call_noHandler_failsAtOnce() {
    CompletableFuture<Object> call = reactor.call("a", 1, LONG);
    assertThatThrownBy(call::get).hasCauseInstanceOf(NoHandlerException.class);
  }

  @Test
  void call_noReply_timesOut() {
    reactor.on("a", event -> {});
    CompletableFuture<Object> call = reactor.call("a", 1, Duration.ofMillis(20));
    assertThatThrownBy(call::get).hasCauseInstanceOf(TimeoutException.class);
  }

  @Test
  void isCall_tellsRequestsFromEvents() {
    reactor.at("a").answer(event -> seen.add(event.isCall()));
    reactor.call("a", 1, LONG).join();
    reactor.emit("a", 1);
    idle();
    assertThat(seen).containsExactly(true, false);
  }

  @Test
  void call_fromHandlerOfSameReactor_isAnswered() {
    reactor.at("inner").answer(event -> "in " + event.payload());
    reactor.at("outer").answer(event -> reactor.call("inner", event.payload(), LONG).join());
    assertThat(reactor.call("outer", 1, LONG).join()).isEqualTo("in 1");
  }

  // ---- order

  @Test
  void keyed_eventsOfOneKey_inOrderAndOneAtATime() {
    AtomicInteger[] next = {new AtomicInteger(), new AtomicInteger()};
    AtomicInteger[] inside = {new AtomicInteger(), new AtomicInteger()};
    reactor
        .at("k/{n}")
        .of(Integer.class)
        .handle(event -> {
          int key = Integer.parseInt(event.param("n"));
          if (inside[key].incrementAndGet() != 1) seen.add("two at once");
          if (next[key].getAndIncrement() != event.payload()) seen.add("out of order");
          inside[key].decrementAndGet();
        });
    for (int i = 0; i < 20_000; i++) {
      reactor.emit("k/0", i);
      reactor.emit("k/1", i);
    }
    idle();
    assertThat(seen).isEmpty();
    assertThat(next[0]).hasValue(20_000);
    assertThat(next[1]).hasValue(20_000);
  }

  /** The barrier breaks unless all 50 events are in the handler at the same time. */
  @Test
  void keyed_blockedHandler_doesNotDelayOtherKeys() {
    CyclicBarrier all = new CyclicBarrier(50);
    reactor.on("k/*", event -> all.await(30, TimeUnit.SECONDS));
    reactor.onError((event, error) -> seen.add(error));
    for (int i = 0; i < 50; i++) reactor.emit("k/" + i, i);
    idle();
    assertThat(seen).isEmpty();
  }

  @Test
  void keyedBy_partOfTheKey_ordersByThatPart() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    reactor
        .at("*/{user}")
        .keyedBy(event -> event.param("user"))
        .handle(event -> {
          if (event.key().equals("login/jo")) first.await();
          seen.add(event.key());
        });
    reactor.emit("login/jo", 1);
    reactor.emit("logout/jo", 1);
    reactor.emit("login/al", 1);
    while (!seen.contains("login/al")) Thread.sleep(1);
    first.countDown();
    idle();
    assertThat(seen).containsExactly("login/al", "login/jo", "logout/jo");
  }

  /** The key is computed only once another event blocks in the handler. */
  @Test
  void keyedBy_functionThrows_failsTheEvent() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    reactor.onError((event, error) -> seen.add(event.key() + error.getMessage()));
    reactor
        .at("*")
        .keyedBy(event -> {
          if (event.key().equals("bad")) throw new IllegalStateException(" has no key");
          return event.key();
        })
        .handle(event -> gate.await());
    reactor.emit("good", 1);
    reactor.emit("bad", 2);
    while (seen.isEmpty()) Thread.sleep(1);
    gate.countDown();
    idle();
    assertThat(seen).containsExactly("bad has no key");
  }

  @Test
  void keyedBy_functionThrowsOnCaller_failsTheEvent() {
    reactor.onError((event, error) -> seen.add(error.getMessage()));
    reactor
        .at("a")
        .onCaller()
        .keyedBy(event -> {
          throw new IllegalStateException("no key");
        })
        .handle(event -> {});
    assertThatThrownBy(() -> reactor.deliver("a", 1).join()).hasRootCauseMessage("no key");
    assertThat(reactor.pending()).isZero();
    assertThat(seen).containsExactly("no key");
  }

  @Test
  void deliver_hookThrows_fails() {
    reactor.onDropped((key, payload, reason) -> {
      throw new IllegalStateException("hook");
    });
    assertThatThrownBy(() -> reactor.deliver("a", 1).join()).hasRootCauseMessage("hook");
  }

  @Test
  void serial_handlesAllEventsInOrder() {
    reactor.at("k/*").serial().handle(event -> seen.add(event.payload()));
    List<Object> expected = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      reactor.emit("k/" + i % 7, i);
      expected.add(i);
    }
    idle();
    assertThat(seen).containsExactlyElementsOf(expected);
  }

  @Test
  void parallel_handlesEventsOfOneKeyAtTheSameTime() {
    CyclicBarrier all = new CyclicBarrier(20);
    reactor.at("a").parallel().handle(event -> all.await(30, TimeUnit.SECONDS));
    reactor.onError((event, error) -> seen.add(error));
    for (int i = 0; i < 20; i++) reactor.emit("a", i);
    idle();
    assertThat(seen).isEmpty();
  }

  @Test
  void onCaller_runsBeforeEmitReturns_butNotRecursively() {
    reactor
        .at("a")
        .of(Integer.class)
        .onCaller()
        .handle(event -> {
          seen.add("begin " + event.payload());
          if (event.payload() < 2) reactor.emit("a", event.payload() + 1);
          seen.add("end " + event.payload());
        });
    reactor.emit("a", 1);
    assertThat(seen).containsExactly("begin 1", "end 1", "begin 2", "end 2");
  }

  // ---- bounds

  @Test
  void queue_fullWithReject_throws() {
    CountDownLatch gate = new CountDownLatch(1);
    reactor.at("a").queue(2, Overflow.REJECT).handle(event -> gate.await());
    reactor.emit("a", 1);
    reactor.emit("a", 2);
    assertThatThrownBy(() -> reactor.emit("a", 3))
        .isInstanceOf(RejectedEventException.class)
        .hasMessage("queue full: pattern=a, max=2, key=a");
    gate.countDown();
    idle();
    assertThat(reactor.emit("a", 4)).isEqualTo(1);
  }

  @Test
  void queue_fullWithDrop_callsTheHook() {
    CountDownLatch gate = new CountDownLatch(1);
    reactor.onDropped((key, payload, reason) -> seen.add(payload + " " + reason));
    reactor.at("a").queue(1, Overflow.DROP).handle(event -> gate.await());
    assertThat(reactor.emit("a", 1)).isEqualTo(1);
    assertThat(reactor.emit("a", 2)).isZero();
    gate.countDown();
    idle();
    assertThat(seen).containsExactly("2 OVERFLOW");
  }

  @Test
  void queue_fullWithWait_waitsForSpace() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    reactor
        .at("a")
        .serial()
        .queue(1, Overflow.WAIT)
        .handle(event -> {
          gate.await();
          seen.add(event.payload());
        });
    reactor.emit("a", 1);
    Thread emitter = new Thread(() -> reactor.emit("a", 2));
    emitter.start();
    while (emitter.getState() != Thread.State.TIMED_WAITING) Thread.sleep(1);
    gate.countDown();
    emitter.join();
    idle();
    assertThat(seen).containsExactly(1, 2);
  }

  /** A handler that fills its own queue made early versions of the reactor hang. */
  @Test
  void queue_filledByItsOwnHandler_doesNotDeadlock() {
    reactor
        .at("a")
        .of(Integer.class)
        .serial()
        .queue(2, Overflow.WAIT)
        .handle(event -> {
          seen.add(event.payload());
          if (event.payload() == 0) for (int i = 1; i <= 20; i++) reactor.emit("a", i);
        });
    reactor.emit("a", 0);
    idle();
    assertThat(seen).hasSize(21);
  }

  @Test
  void queue_filledByItsOwnHandlerEndlessly_rejectsEventually() {
    reactor.onError((event, error) -> seen.add(error));
    reactor
        .at("a")
        .serial()
        .queue(2, Overflow.WAIT)
        .handle(event -> {
          if (event.payload().equals(0)) for (int i = 1; i < 1000; i++) reactor.emit("a", i);
        });
    reactor.emit("a", 0);
    idle();
    assertThat(seen).hasSize(1).hasOnlyElementsOfType(RejectedEventException.class);
  }

  // ---- failures, the end

  @Test
  void handlerThrows_otherHandlersContinue() {
    reactor.onError((event, error) -> seen.add(event.payload() + " " + error.getMessage()));
    reactor.on(
        "a",
        event -> {
          if (event.payload().equals(1)) throw new Exception("bad");
          seen.add(event.payload());
        });
    reactor.emit("a", 1);
    reactor.emit("a", 2);
    idle();
    assertThat(seen).containsExactly("1 bad", 2);
  }

  @Test
  void deliver_completesWhenAllHandlersHaveEnded() {
    reactor.onError((event, error) -> {});
    reactor.on("a", event -> seen.add(1));
    reactor.on("*", event -> seen.add(2));
    assertThat(reactor.deliver("a", "x").join()).isEqualTo(2);
    assertThat(seen).hasSize(2);
    reactor.on(
        "b",
        event -> {
          throw new Exception("bad");
        });
    assertThatThrownBy(() -> reactor.deliver("b", "x").get()).hasRootCauseMessage("bad");
  }

  @Test
  void deliver_noMatchingHandler_fails() {
    reactor.onDropped((key, payload, reason) -> seen.add(key + reason));
    reactor.at("a").of(Integer.class).handle(event -> {});
    assertThatThrownBy(() -> reactor.deliver("b", "x").get())
        .hasCauseInstanceOf(NoHandlerException.class)
        .hasRootCauseMessage("no handler: key=b");
    assertThatThrownBy(() -> reactor.deliver("a", "x").get())
        .hasCauseInstanceOf(NoHandlerException.class);
    assertThat(seen).containsExactly("bNO_HANDLER", "aNO_HANDLER");
  }

  @Test
  void deliver_someHandlersFail_namesThem() {
    reactor.onError((event, error) -> {});
    IllegalStateException bad = new IllegalStateException("bad");
    reactor.at("a").named("good").handle(event -> seen.add("handled"));
    reactor
        .at("a")
        .named("bad")
        .handle(event -> {
          throw bad;
        });
    assertThat(failures("a"))
        .containsExactly(new DeliveryFailedException.Failure("bad", 1, bad, true));
    assertThat(seen).containsExactly("handled");
  }

  private List<DeliveryFailedException.Failure> failures(String key) {
    Throwable error = reactor.deliver(key, "x").handle((count, failure) -> failure).join();
    assertThat(error).isInstanceOf(DeliveryFailedException.class);
    return ((DeliveryFailedException) error).failures();
  }

  /** An event that only some handlers have accepted is not a success. */
  @Test
  void deliver_fullQueue_failsAfterTheOtherHandlersHaveEnded() {
    CountDownLatch gate = new CountDownLatch(1);
    reactor.at("a").named("drops").queue(1, Overflow.DROP).handle(event -> gate.await());
    reactor.at("a").named("rejects").queue(1, Overflow.REJECT).handle(event -> gate.await());
    reactor.emit("a", "fills both");
    reactor.at("a").named("accepts").handle(event -> seen.add("handled"));
    assertThat(failures("a"))
        .extracting(DeliveryFailedException.Failure::handler)
        .containsExactly("drops", "rejects");
    assertThat(seen).containsExactly("handled");
    gate.countDown();
  }

  @Test
  void call_fullQueue_isRejected() {
    CountDownLatch gate = new CountDownLatch(1);
    reactor.at("a").queue(1, Overflow.DROP).handle(event -> gate.await());
    reactor.emit("a", 1);
    assertThatThrownBy(() -> reactor.call("a", 1, LONG).get())
        .hasCauseInstanceOf(RejectedEventException.class);
    gate.countDown();
  }

  // ---- metadata

  @Test
  void meta_ofPlainEmit_isShared() {
    reactor.on("a", event -> seen.add(event.meta()));
    reactor.emit("a", 1);
    idle();
    assertThat(seen.element()).isSameAs(EventMeta.none());
  }

  @Test
  void emit_withMeta_reachesTheHandler() {
    EventMeta meta = EventMeta.none().id("o-42").attempt(3).header("trace", "t").token(7);
    reactor.on("a", event -> seen.add(event.meta()));
    reactor.emit("a", 1, meta);
    idle();
    assertThat(seen).containsExactly(meta);
  }

  @Test
  void call_handlerSeesTheDeadline() {
    reactor.at("a").answer(event -> event.meta().remaining());
    Object remaining = reactor.call("a", 1, LONG).join();
    assertThat((Duration) remaining).isPositive().isLessThanOrEqualTo(LONG);
    EventMeta sooner = EventMeta.none().within(Duration.ofSeconds(20));
    assertThat((Duration) reactor.call("a", 1, LONG, sooner).join())
        .isLessThanOrEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void handler_deadlinePassedBeforeItBegins_isNotCalled() {
    reactor.onError((event, error) -> seen.add(error.getMessage()));
    reactor.on("a", event -> seen.add("called"));
    reactor.emit("a", 1, EventMeta.none().within(Duration.ZERO));
    idle();
    assertThat(seen).containsExactly("deadline passed: key=a");
  }

  @Test
  void drain_returnsTheNumberOfEventsLeft() {
    CountDownLatch gate = new CountDownLatch(1);
    reactor.at("a").serial().handle(event -> gate.await());
    for (int i = 0; i < 3; i++) reactor.emit("a", i);
    assertThat(reactor.drain(Duration.ofMillis(10))).isEqualTo(3);
    assertThatThrownBy(() -> reactor.emit("a", 4)).isInstanceOf(RejectedEventException.class);
    gate.countDown();
    assertThat(reactor.drain(LONG)).isZero();
  }
}
