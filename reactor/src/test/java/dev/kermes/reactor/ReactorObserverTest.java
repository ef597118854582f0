package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Observers of handlers, and the events of Flight Recorder. */
@Timeout(60)
class ReactorObserverTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Retry SOON = Retry.times(2).backoff(Duration.ZERO, Duration.ZERO);

  private final Reactor reactor = Reactor.create();
  private final Queue<Object> seen = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();

  @TempDir private Path folder;

  private void failOnce() {
    reactor
        .at("a/*")
        .named("flaky")
        .retry(SOON)
        .handle(event -> {
          if (calls.getAndIncrement() == 0) throw new IOException("first");
        });
  }

  /** An observer that writes down what it is told. */
  private final class Notes implements ReactorObserver {
    @Override
    public Observation onStart(Registration handler, Event<?> event) {
      seen.add("start " + handler.name() + " " + event.meta().attempt());
      return failure -> seen.add("end " + (failure == null ? "ok" : failure.getMessage()));
    }

    @Override
    public void onRetry(Registration handler, Event<?> event, Throwable failure, Duration wait) {
      seen.add("retry in " + wait.toNanos());
    }

    @Override
    public void onDropped(String key, DropReason reason) {
      seen.add(key + " " + reason);
    }
  }

  @Test
  void observer_seesEachCallRetryAndDrop() {
    reactor.observe(new Notes());
    failOnce();
    reactor.emit("a/1", "x");
    reactor.emit("b", "x");
    assertThat(reactor.awaitIdle(LONG)).isTrue();
    assertThat(seen)
        .contains("b NO_HANDLER")
        .containsSubsequence("start flaky 1", "end first", "retry in 0", "start flaky 2", "end ok");
  }

  @Test
  void observers_areAllCalled() {
    reactor.observe((handler, event) -> failure -> seen.add(1));
    reactor.observe((handler, event) -> failure -> seen.add(2));
    reactor.on("a", event -> {});
    assertThat(reactor.deliver("a", "x").join()).isEqualTo(1);
    assertThat(seen).containsExactly(1, 2);
  }

  @Test
  void flightRecorder_recordsCallsFailuresAndDrops() throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.kermes.reactor.Handler").withoutThreshold();
      recording.enable("dev.kermes.reactor.Failure");
      recording.enable("dev.kermes.reactor.Dropped");
      recording.start();
      reactor.observe(ReactorObserver.flightRecorder());
      failOnce();
      reactor.emit("a/1", "x");
      reactor.emit("b", "x");
      assertThat(reactor.awaitIdle(LONG)).isTrue();
      recording.stop();
      recording.dump(file);
    }
    assertThat(Files.size(file)).isPositive();
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    assertThat(events.stream().map(ReactorObserverTest::described))
        .contains(
            "Handler flaky a/1 1 java.io.IOException: first",
            "Handler flaky a/1 2 null",
            "Failure flaky a/1 1 java.io.IOException: first true",
            "Dropped b NO_HANDLER");
  }

  private static String described(RecordedEvent event) {
    StringBuilder text = new StringBuilder(event.getEventType().getLabel());
    for (String field : List.of("handler", "key", "attempt", "error", "isRetried", "reason")) {
      if (event.hasField(field))
        text.append(' ').append(String.valueOf(event.<Object>getValue(field)));
    }
    return text.toString();
  }
}
