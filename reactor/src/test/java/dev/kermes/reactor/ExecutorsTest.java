package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers and continuations on executors of the user's. */
@Timeout(60)
class ExecutorsTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final ExecutorService ui =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("ui").factory());
  private final Reactor reactor = Reactor.create().executor("ui", ui);
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();

  @AfterEach
  void shutDown() {
    ui.shutdownNow();
  }

  private static String thread() {
    return Thread.currentThread().getName();
  }

  @Test
  void handler_onNamedExecutor_runsThereInOrder() {
    reactor.at("*").on("ui").handle(event -> seen.add(thread() + event.payload()));
    for (int i = 0; i < 5; i++) reactor.emit("a", i);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(seen).containsExactly("ui0", "ui1", "ui2", "ui3", "ui4");
  }

  /** The only thread of the executor waits in the handler; its events are handled afterwards. */
  @Test
  void handler_blocksItsOnlyThread_losesNothing() {
    reactor
        .at("*")
        .on(ui)
        .handle(event -> {
          if (event.payload().equals(0)) Thread.sleep(20); // longer than stalls are detected
          seen.add(event.key() + event.payload());
        });
    for (int i = 0; i < 3; i++) reactor.emit("a", i);
    reactor.emit("b", 3);
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(seen).containsExactlyInAnyOrder("a0", "a1", "a2", "b3");
    assertThat(seen.stream().filter(each -> each.toString().startsWith("a")))
        .containsExactly("a0", "a1", "a2");
  }

  /** A method that runs on the executor. */
  public static final class Screen {
    @On(value = "show", executor = "ui")
    public String show(Object payload) {
      return thread();
    }
  }

  @Test
  void method_onNamedExecutor_runsThere() {
    reactor.register(new Screen());
    assertThat(reactor.call("show", 1, LONG).join()).isEqualTo("ui");
  }

  @Test
  void handler_executorShutDown_runsOnTheReactorsThreads() {
    reactor.at("a").on("ui").answer(event -> "handled");
    ui.shutdownNow();
    assertThat(reactor.call("a", 1, LONG).join()).isEqualTo("handled");
  }

  @Test
  void executor_unknownName_throws() {
    assertThatThrownBy(() -> reactor.at("a").on("none")).hasMessage("no such executor: name=none");
    CompletableFuture<Object> future = new CompletableFuture<>();
    assertThatThrownBy(() -> reactor.returnTo("none", future))
        .hasMessage("no such executor: name=none");
  }

  /** A call from a thread that then runs the continuation of the call. */
  @Test
  void returnTo_continuationRunsOnTheThreadThatBegan() {
    reactor.at("a").answer(event -> event.payload() + "!");
    CompletableFuture<String> shown =
        CompletableFuture.supplyAsync(
                () ->
                    reactor
                        .returnTo("ui", reactor.call("a", "x", LONG))
                        .thenApplyAsync(answer -> thread() + answer),
                ui)
            .thenCompose(stage -> stage);
    assertThat(shown.join()).isEqualTo("uix!");
  }

  @Test
  void returnTo_failure_isTheSame() {
    IllegalStateException error = new IllegalStateException("bad");
    CompletableFuture<Object> failed = CompletableFuture.failedFuture(error);
    CompletableFuture<Object> stage = failed.thenApply(value -> value);
    assertThatThrownBy(() -> reactor.returnTo("ui", stage).get()).hasCause(error);
    assertThat(
            reactor
                .returnTo("ui", stage)
                .handleAsync((value, failure) -> thread())
                .thenApplyAsync(first -> first + thread())
                .join())
        .isEqualTo("uiui");
  }
}
