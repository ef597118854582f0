package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events that leave the reactor through a sink, and come back through a source. */
@Timeout(60)
class SinkTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Reactor reactor = Reactor.create();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();

  /** A topic in memory: stores events, and delivers them into one reactor. */
  private final class Topic implements Sink.AtLeastOnce, Source.AtLeastOnce {

    private final CompletableFuture<Inlet> inlet = new CompletableFuture<>();

    @Override
    public CompletableFuture<String> emit(String key, Object payload, EventMeta meta) {
      if (payload.equals("unstorable")) return CompletableFuture.failedFuture(new Exception("no"));
      seen.add("store " + payload);
      var unused = inlet.thenAccept(into -> into.deliver(key, payload, meta.id("1").token(7)));
      return CompletableFuture.completedFuture("1");
    }

    @Override
    public CompletableFuture<Object> call(String key, Object request, EventMeta meta) {
      return inlet.join().call(key, request, meta);
    }

    @Override
    public Source.Reading start(Inlet into) {
      inlet.complete(into);
      return new Source.Reading() {
        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void close() {}
      };
    }
  }

  /** The same {@code on} and {@code emit} as without the topic. */
  @Test
  void emit_withTopic_reachesTheHandlerThroughTheTopic() {
    Topic topic = new Topic();
    reactor.to("orders/**", topic);
    reactor.from(topic);
    reactor.on("orders/{id}", event -> seen.add(event.payload() + " " + event.meta().token()));
    reactor.on("**", event -> seen.add("local " + event.payload()));
    assertThat(reactor.emit("orders/42", "order")).isEqualTo(1);
    assertThat(reactor.emit("other", "event")).isEqualTo(1);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(seen)
        .containsExactlyInAnyOrder("store order", "order 7", "local order", "local event");
  }

  @Test
  void deliver_withTopic_completesWhenItIsStored() {
    reactor.to("orders/**", new Topic());
    assertThat(reactor.deliver("orders/42", "order").join()).isEqualTo(1);
    assertThat(seen).containsExactly("store order");
  }

  @Test
  void emit_sinkFails_isDropped() {
    reactor.onDropped((key, payload, reason) -> seen.add(payload + " " + reason));
    reactor.to("orders/**", new Topic());
    assertThat(reactor.emit("orders/42", "unstorable")).isZero();
    assertThatThrownBy(() -> reactor.deliver("orders/42", "unstorable").get())
        .hasRootCauseMessage("no");
    assertThat(seen).containsExactly("unstorable SINK", "unstorable SINK");
  }

  @Test
  void call_withTopic_asksThroughTheTopic() {
    Topic topic = new Topic();
    reactor.to("prices/*", topic);
    reactor.from(topic);
    reactor.at("prices/{item}").answer(event -> event.param("item").length());
    assertThat(reactor.call("prices/book", "", LONG).join()).isEqualTo(4);
  }

  @Test
  void channel_isBestEffort_andCannotBeAsked() {
    Sink.BestEffort channel = (key, payload, meta) -> seen.add(key + payload + meta.header("a"));
    reactor.to("news/*", channel);
    assertThat(reactor.emit("news/x", "!", EventMeta.none().header("a", "b"))).isEqualTo(1);
    assertThat(reactor.deliver("news/x", "?").join()).isEqualTo(1);
    assertThat(seen).containsExactly("news/x!b", "news/x?null");
    assertThatThrownBy(() -> reactor.call("news/x", "", LONG).get())
        .hasCauseInstanceOf(NoHandlerException.class);
  }

  @Test
  void to_closed_emitsToHandlersAgain() throws Exception {
    AutoCloseable route = reactor.to("a", (Sink.BestEffort) (key, payload, meta) -> seen.add("x"));
    route.close();
    reactor.on("a", event -> seen.add("handler"));
    reactor.emit("a", 1);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(seen).containsExactly("handler");
  }
}
