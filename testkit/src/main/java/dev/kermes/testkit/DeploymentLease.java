package dev.kermes.testkit;

/**
 * The cluster or the sentinels of one test class, for the extensions of test frameworks: what the
 * classes of this JVM share, or its own. {@link ServerLease} is the same for a server.
 *
 * <pre>{@code
 * DeploymentLease<KermesCluster> lease = DeploymentLease.cluster(3, 1, false); // before
 * lease.deployment().reset();                                           // before each test
 * lease.deployment().reportTo(failure);                                 // after one that has failed
 * lease.close();                                                        // after the class
 * }</pre>
 *
 * Classes one after another get the same deployment of a size, classes at the same time one each.
 * Any thread.
 */
public final class DeploymentLease<T extends TestDeployment> implements AutoCloseable {

  private final T deployment;
  private final Runnable end;

  private DeploymentLease(T deployment, Runnable end) {
    this.deployment = deployment;
    this.end = end;
  }

  /**
   * Lends a shared cluster with faults, which has been reset.
   *
   * @param isRealTime whether its clock runs; otherwise it stands until a test moves it
   */
  public static DeploymentLease<KermesCluster> cluster(
      int masters, int replicas, boolean isRealTime) {
    return of(DeploymentPool.clusters(masters, replicas, isRealTime));
  }

  /** Lends a shared master with replicas, sentinels and faults, which has been reset. */
  public static DeploymentLease<KermesSentinel> sentinel(int replicas, int sentinels) {
    return of(DeploymentPool.sentinels(replicas, sentinels));
  }

  private static <T extends TestDeployment> DeploymentLease<T> of(DeploymentPool<T> pool) {
    T lent = pool.take();
    return new DeploymentLease<>(lent, () -> pool.giveBack(lent));
  }

  /** Takes one that has been started for this class only; {@link #close} ends it. */
  public static <T extends TestDeployment> DeploymentLease<T> own(T started) {
    return new DeploymentLease<>(started, started::close);
  }

  /** The cluster, or the servers with their sentinels. */
  public T deployment() {
    return deployment;
  }

  /** Gives the shared deployment back, or ends the class's own. */
  @Override
  public void close() {
    end.run();
  }
}
