package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.GuideBlocks;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The code of docs/reactor.md. */
class ReactorGuideTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Queue<String> stored = new ConcurrentLinkedQueue<>();
  private final AtomicInteger total = new AtomicInteger();

  @Test
  void events() {
    Reactor reactor = Reactor.create();
    reactor.on("orders/{id}", event -> stored.add(event.param("id") + "=" + event.payload()));
    reactor.emit("orders/42", "two books");
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(stored).containsExactly("42=two books");
  }

  @Test
  void metadata() {
    Reactor reactor = Reactor.create();
    reactor.on("orders/{id}", event -> stored.add(event.meta().id() + event.meta().headers()));
    EventMeta meta =
        EventMeta.none().id("o-42").header("trace", "7f").within(Duration.ofSeconds(30));
    reactor.emit("orders/42", "two books", meta);
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(stored).containsExactly("o-42{trace=7f}");
  }

  @Test
  void calls() {
    Reactor reactor = Reactor.create();
    reactor.at("price/{item}").answer(event -> event.param("item").length() * 10);
    Object price = reactor.call("price/book", "", Duration.ofSeconds(1)).join();
    assertThat(price).isEqualTo(40);
  }

  @Test
  void typesOrderBounds() {
    Reactor reactor = Reactor.create();
    reactor
        .at("orders/{id}/**")
        .of(Integer.class) // other payloads are not for this handler
        .keyedBy(event -> event.param("id")) // or serial(), or parallel()
        .queue(1000, Overflow.REJECT) // or WAIT, the default, or DROP
        .handle(event -> total.addAndGet(event.payload()));
    reactor.emit("orders/1/amount", 3);
    reactor.emit("orders/1/amount", "three");
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(total).hasValue(3);
  }

  private void ship(String id, int attempt) throws IOException {
    stored.add(id + " " + attempt);
    if (attempt == 1) throw new IOException("no carrier");
  }

  @Test
  void retries() {
    Reactor reactor = Reactor.create();
    reactor
        .at("orders/{id}")
        .named("shipping")
        .retry(Retry.times(8).backoff(Duration.ofMillis(100), Duration.ofSeconds(10)))
        .handle(event -> ship(event.param("id"), event.meta().attempt()));
    reactor.emit("orders/42", "two books");
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(stored).containsExactly("42 1", "42 2");
  }

  @Test
  void executors() {
    Reactor reactor = Reactor.create();
    reactor.at("price/{item}").answer(event -> event.param("item").length() * 10);
    try (ExecutorService ui = Executors.newSingleThreadExecutor()) {
      reactor.executor("ui", ui);
      reactor.at("show/*").on("ui").handle(event -> stored.add("shown " + event.payload()));
      CompletableFuture<Object> answer = reactor.call("price/book", "", Duration.ofSeconds(1));
      reactor.returnTo("ui", answer).thenAcceptAsync(price -> reactor.emit("show/price", price));
      while (stored.isEmpty()) Thread.onSpinWait();
    }
    assertThat(stored).containsExactly("shown 40");
  }

  /** A topic that stores nothing: an event is delivered as soon as it is emitted. */
  private static final class Loop implements Source.AtLeastOnce, Sink.AtLeastOnce, Source.Reading {

    private final CompletableFuture<Inlet> inlet = new CompletableFuture<>();

    @Override
    public Source.Reading start(Inlet into) {
      inlet.complete(into);
      return this;
    }

    @Override
    public CompletableFuture<String> emit(String key, Object payload, EventMeta meta) {
      return inlet
          .thenCompose(into -> into.deliver(key, payload, meta.id("1-0")))
          .thenApply(count -> "1-0");
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public void close() {}
  }

  @Test
  void sourcesAndSinks() {
    Reactor reactor = Reactor.create();
    Loop topic = new Loop();
    reactor.to("orders/**", topic); // emit("orders/42", …) is done when the topic has accepted it
    RunningSource orders = reactor.from(topic);
    reactor.on("orders/{id}", event -> stored.add(event.key() + " " + event.meta().id()));
    reactor.emit("orders/42", "two books");
    assertThat(orders.stop(LONG)).isZero();
    assertThat(stored).containsExactly("orders/42 1-0");
  }

  /** An object whose methods are handlers. */
  @On("mail/")
  public static final class Mail {
    @On("{user}")
    public String greet(String subject) {
      return "Re: " + subject;
    }
  }

  @Test
  void objects() {
    Reactor reactor = Reactor.create();
    reactor.register(new Mail());
    assertThat(reactor.call("mail/jo", "Hi", LONG).join()).isEqualTo("Re: Hi");
  }

  /** The page shows the code that is run above; white space may differ. */
  @Test
  void page_showsThisCode() throws IOException {
    assertThat(GuideBlocks.countShown("reactor.md", ReactorGuideTest.class)).isEqualTo(8);
  }
}
