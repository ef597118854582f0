package dev.kermes.events.internal;

import dev.kermes.client.Deployment;
import dev.kermes.client.RedisClient;
import dev.kermes.reactor.Source;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A reading of each master of a cluster, with a client of its own, for what a server tells only to
 * those that are connected to it. The client of the cluster notices failovers; the readings follow
 * the masters that it knows. Any thread.
 */
public final class MastersReading implements Source.Reading {

  /** 100 milliseconds between two looks, which ask no server; a failover takes longer. */
  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

  private record Opened(RedisClient client, Source.Reading reading) {

    void close() {
      reading.close();
      client.close();
    }
  }

  private final RedisClient cluster;
  private final Function<RedisClient, Source.Reading> opener;
  private final Map<SocketAddress, Opened> byMaster = new HashMap<>();
  private boolean isPaused;
  private boolean isClosed;

  private MastersReading(RedisClient cluster, Function<RedisClient, Source.Reading> opener) {
    this.cluster = cluster;
    this.opener = opener;
  }

  /**
   * Begins to read the masters that are known, and each that becomes known.
   *
   * @param opener begins to read one server
   */
  public static MastersReading start(
      RedisClient cluster, Function<RedisClient, Source.Reading> opener) {
    MastersReading reading = new MastersReading(cluster, opener);
    Thread unused = Thread.ofVirtual().name("kermes-masters").start(reading::run);
    return reading;
  }

  private void run() {
    while (tryFollow()) LockSupport.parkNanos(this, LOOK_NANOS);
  }

  /** Reads new masters, and those that are none any more not; returns false after the end. */
  private boolean tryFollow() {
    Set<SocketAddress> masters = new HashSet<>(cluster.masters());
    List<Opened> gone;
    synchronized (this) {
      if (isClosed) return false;
      gone = masters.isEmpty() ? List.of() : removeAllBut(masters);
      for (SocketAddress each : masters) byMaster.computeIfAbsent(each, this::open);
    }
    gone.forEach(Opened::close);
    return true;
  }

  private synchronized List<Opened> removeAllBut(Set<SocketAddress> masters) {
    List<Opened> gone = new ArrayList<>();
    for (SocketAddress each : Set.copyOf(byMaster.keySet())) {
      if (!masters.contains(each)) gone.add(Objects.requireNonNull(byMaster.remove(each)));
    }
    return gone;
  }

  private synchronized Opened open(SocketAddress master) {
    RedisClient client =
        RedisClient.open(
            cluster.options().toBuilder(master).deployment(new Deployment.Single()).build());
    Source.Reading reading = opener.apply(client);
    if (isPaused) reading.pause();
    return new Opened(client, reading);
  }

  @Override
  public synchronized void pause() {
    isPaused = true;
    for (Opened each : byMaster.values()) each.reading.pause();
  }

  @Override
  public synchronized void resume() {
    isPaused = false;
    for (Opened each : byMaster.values()) each.reading.resume();
  }

  @Override
  public void close() {
    List<Opened> all;
    synchronized (this) {
      isClosed = true;
      all = removeAllBut(Set.of());
    }
    all.forEach(Opened::close);
  }

  @Override
  public synchronized Source.Health health() {
    if (byMaster.isEmpty()) return new Source.Health(false, "no master is known");
    return byMaster.values().stream()
        .map(each -> each.reading.health())
        .filter(each -> !each.isUp())
        .findFirst()
        .orElse(Source.Health.UP);
  }
}
