package dev.kermes.tools.torture;

import dev.kermes.client.Command;
import dev.kermes.client.Deployment;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The servers that the members of an {@link EventsTorture} use, and the faults that these have. */
interface EventsServers extends AutoCloseable {

  /** For clients. */
  String url();

  /** The faults that these servers can have. */
  Set<EventsTorture.Fault> faults();

  /** Whether there are replicas, which can have an event before its master is killed. */
  boolean hasReplicas();

  /** The URLs of all masters. */
  List<String> masters();

  /** Lets one of {@link #faults} happen that the servers have; returns when they serve again. */
  void run(EventsTorture.Fault fault, Random random);

  @Override
  void close() throws IOException;

  /** Servers that run already; they are not ended. */
  static EventsServers running(String url) {
    return switch (RedisOptions.url(url).build().deployment()) {
      case Deployment.Single unused -> new EventsServer(url, null);
      case Deployment.Cluster cluster -> new EventsCluster(url, cluster.seeds(), null);
      case Deployment.Sentinel sentinel -> new EventsSentinel(url, sentinel, null);
    };
  }

  /** Sends a command to one server by a connection of its own. */
  static @Nullable Object call(String url, String name, String... arguments) {
    try (RedisClient client = RedisClient.open(url)) {
      return client.call(Command.of(name, arguments));
    }
  }

  /**
   * Waits until servers have a new state.
   *
   * @throws IllegalStateException if they do not within 30 seconds
   */
  static void await(String state, BooleanSupplier condition) {
    long began = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(30)) {
        throw new IllegalStateException("the servers do not get there: state=" + state);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
