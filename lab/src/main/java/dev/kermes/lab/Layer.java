package dev.kermes.lab;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a client on core.async, identified by classes and methods. A sample belongs to the
 * layer of the innermost frame that any layer matches: waiting for the lock of a channel counts for
 * the channels, waiting for the lock of the pool's queue for the dispatcher.
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
  /** Every operation on a channel iterates over all puts parked on it. */
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

  /** The server, which runs in the same process. */
  SERVER("server", "dev.kermes.server.", "dev.kermes.net.", "io.netty.");

  /** The layers of the client, without the server. */
  static final List<Layer> OF_A_CLIENT =
      Arrays.stream(values()).filter(layer -> layer != SERVER).toList();

  /** The name in rows. */
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
