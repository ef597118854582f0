package dev.kermes.testkit;

import dev.kermes.server.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/**
 * The deployments of one kind that the test classes of this JVM share: as many as there were
 * classes at the same time. Any thread.
 */
final class DeploymentPool<T extends TestDeployment> {

  private record ClusterKind(int masters, int replicas, boolean isRealTime) {}

  private record SentinelKind(int replicas, int sentinels) {}

  private static final List<DeploymentPool<?>> ALL = new CopyOnWriteArrayList<>();
  private static final Map<ClusterKind, DeploymentPool<KermesCluster>> CLUSTERS =
      new ConcurrentHashMap<>();
  private static final Map<SentinelKind, DeploymentPool<KermesSentinel>> SENTINELS =
      new ConcurrentHashMap<>();

  /** The pool of servers. */
  static final DeploymentPool<TestServer> SERVERS = new DeploymentPool<>(DeploymentPool::server);

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(DeploymentPool::closeUnused, "kermes-testkit-end"));
  }

  private final IntFunction<T> starter;
  private final Deque<T> free = new ArrayDeque<>();
  private int taken;

  /**
   * Creates an empty pool.
   *
   * @param starter starts one more, given the number of those that classes have
   */
  private DeploymentPool(IntFunction<T> starter) {
    this.starter = starter;
    ALL.add(this);
  }

  private static TestServer server(int taken) {
    if (TestServer.isReal() && taken > 0) {
      throw new IllegalStateException(
          TestServer.URL_PROPERTY
              + " names one server, but two test classes need one at the same time: run classes one"
              + " after another, in JUnit by"
              + " junit.jupiter.execution.parallel.mode.classes.default=same_thread");
    }
    return TestServer.start();
  }

  /** The pool of clusters of a size, with faults and a clock that runs or stands. */
  static DeploymentPool<KermesCluster> clusters(int masters, int replicas, boolean isRealTime) {
    return CLUSTERS.computeIfAbsent(
        new ClusterKind(masters, replicas, isRealTime),
        kind -> new DeploymentPool<>(taken -> cluster(kind)));
  }

  private static KermesCluster cluster(ClusterKind kind) {
    Clock clock = kind.isRealTime() ? Clock.system() : Clock.manual(System.currentTimeMillis());
    return KermesCluster.builder()
        .masters(kind.masters())
        .replicas(kind.replicas())
        .clock(clock)
        .withFaults()
        .start();
  }

  /** The pool of masters with that many replicas and sentinels, with faults. */
  static DeploymentPool<KermesSentinel> sentinels(int replicas, int sentinels) {
    return SENTINELS.computeIfAbsent(
        new SentinelKind(replicas, sentinels),
        kind ->
            new DeploymentPool<>(taken ->
                KermesSentinel.builder()
                    .replicas(replicas)
                    .sentinels(sentinels)
                    .withFaults()
                    .start()));
  }

  /** Ends everything that no class has; the end of the JVM does the same. */
  static void closeUnused() {
    for (DeploymentPool<?> each : ALL) each.closeFree();
  }

  /**
   * Lends one, which has been reset. One that cannot be reset ends.
   *
   * @throws IllegalStateException if it cannot be reset, or is a real server that another class has
   */
  T take() {
    T lent = lend();
    try {
      lent.reset();
      return lent;
    } catch (RuntimeException e) {
      discard(lent, e);
      throw e;
    }
  }

  private synchronized T lend() {
    T lent = free.isEmpty() ? starter.apply(taken) : free.removeLast();
    taken++;
    return lent;
  }

  synchronized void giveBack(T lent) {
    free.addLast(lent);
    taken--;
  }

  private synchronized void discard(T lent, RuntimeException failure) {
    taken--;
    try {
      lent.close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private synchronized void closeFree() {
    for (T each = free.pollLast(); each != null; each = free.pollLast()) each.close();
  }
}
