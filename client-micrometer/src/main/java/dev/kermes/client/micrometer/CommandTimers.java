package dev.kermes.client.micrometer;

import dev.kermes.client.CommandObserver;
import dev.kermes.client.RedisException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A timer {@value #NAME} per command, node and outcome:
 *
 * <pre>
 *   command  GET, BATCH, TRANSACTION        node  127.0.0.1:6379, or none
 *   outcome  ok, or the class of the failure: ServerErrorException, ConnectionLostException, ...
 * </pre>
 *
 * <p>A timer measures from sending to the end of the command, without callbacks. Any thread.
 */
public final class CommandTimers implements CommandObserver {
  /** The name of the timers. */
  public static final String NAME = "kermes.client.command";

  private record Key(String command, @Nullable SocketAddress node, String outcome) {}

  private final MeterRegistry registry;
  private final ConcurrentHashMap<Key, Timer> timers = new ConcurrentHashMap<>();

  /** Registers the timers in {@code registry}. */
  public CommandTimers(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Observation onStart(String command) {
    long start = System.nanoTime();
    return (node, failure) ->
        timer(command, node, failure).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
  }

  private Timer timer(
      String command, @Nullable SocketAddress node, @Nullable RedisException failure) {
    String outcome = failure == null ? "ok" : failure.getClass().getSimpleName();
    return timers.computeIfAbsent(new Key(command, node, outcome), this::register);
  }

  private Timer register(Key key) {
    SocketAddress node = key.node();
    return registry.timer(
        NAME,
        Tags.of("command", key.command(), "outcome", key.outcome())
            .and("node", node == null ? "none" : Nodes.name(node)));
  }
}
