package dev.kermes.lab;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/**
 * What a client on core.async is made of, told by classes and methods. A moment belongs to the
 * layer of the innermost frame that any layer claims: a lock of a channel to the channels, a lock
 * of the pool's queue to the dispatch.
 */
enum Layer {
  SOCKET(
      "socket",
      "java.net.",
      "sun.nio.ch.",
      "java.io.",
      "kermes.lab.hops$receive",
      "kermes.lab.hops$write_"),
  RESP(
      "requests and replies",
      "dev.kermes.resp.",
      "kermes.lab.hops$encode",
      "kermes.lab.hops$decode"),
  DISPATCH(
      "dispatch: pool, queue, threads",
      "clojure.core.async.impl.dispatch",
      "clojure.core.async.impl.exec",
      "java.util.concurrent.ThreadPoolExecutor",
      "java.util.concurrent.LinkedBlockingQueue",
      "java.util.concurrent.LinkedTransferQueue",
      "java.util.concurrent.SynchronousQueue"),
  /** Every operation on a channel goes through all puts that are parked on it. */
  PARKED_PUTS(
      "channels: looking through parked puts",
      "clojure.core.async.impl.channels.ManyToManyChannel.cleanup"),
  CHANNELS(
      "channels: the rest",
      "clojure.core.async.impl.channels",
      "clojure.core.async.impl.buffers",
      "clojure.core.async.impl.mutex",
      "clojure.core.async$"),
  GO("go blocks", "clojure.core.async.impl.", "kermes.lab.hops$"),
  REST("the rest"),

  /** Shares the process with what is measured. */
  SERVER("server", "dev.kermes.server.", "dev.kermes.net.", "io.netty.");

  /** What is the client's own. */
  static final List<Layer> OF_A_CLIENT =
      Arrays.stream(values()).filter(layer -> layer != SERVER).toList();

  /** How rows call it. */
  final String label;

  @SuppressWarnings("ImmutableEnumChecker") // the list is
  private final List<String> prefixes;

  Layer(String label, String... prefixes) {
    this.label = label;
    this.prefixes = List.of(prefixes);
  }

  static Layer of(@Nullable RecordedStackTrace stack) {
    if (stack == null) return REST;
    return stack.getFrames().stream()
        .map(Layer::claiming)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(REST);
  }

  private static @Nullable Layer claiming(RecordedFrame frame) {
    RecordedMethod method = frame.getMethod();
    String name = method.getType().getName() + "." + method.getName();
    for (Layer layer : values()) {
      for (String prefix : layer.prefixes) if (name.startsWith(prefix)) return layer;
    }
    return null;
  }
}
