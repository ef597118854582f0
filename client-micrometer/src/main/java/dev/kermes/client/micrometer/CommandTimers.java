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
 * A timer {@value #NAME} per command, server and outcome, with the tags of OpenTelemetry's semantic
 * conventions:
 *
 * <pre>
 *   db.system.name           redis
 *   db.operation.name        GET, PIPELINE for a batch, MULTI for a transaction
 *   server.address           127.0.0.1, or none
 *   server.port              6379, or none
 *   db.response.status_code  WRONGTYPE, the first word of an error reply; or none
 *   error.type               the same, or the class of another failure, or none
 * </pre>
 *
 * <p>A timer measures from sending to the end of the command, without callbacks. Any thread.
 */
public final class CommandTimers implements CommandObserver {
  /** The name of the timers. */
  public static final String NAME = Attributes.DURATION;

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
    Key key = new Key(command, node, Attributes.errorType(failure));
    return timers.computeIfAbsent(key, fresh -> register(fresh, failure));
  }

  private Timer register(Key key, @Nullable RedisException failure) {
    return Timer.builder(NAME)
        .description("Duration of database client operations")
        .tags(Tags.of(Attributes.ofOperation(key.command())))
        .tags(Tags.of(Attributes.ofEnd(key.node(), failure)))
        .register(registry);
  }
}
