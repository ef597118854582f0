package dev.kermes.tools.torture;

import dev.kermes.client.Deployment;
import dev.kermes.testkit.KermesSentinel;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A master with replicas and sentinels. Its faults are a failover on demand, and a master that is
 * killed, which needs servers of ours.
 *
 * @param ours ended at the end; null for servers of others
 */
record EventsSentinel(String url, Deployment.Sentinel deployment, @Nullable KermesSentinel ours)
    implements EventsServers {

  /** A master, a replica and three sentinels in this JVM. */
  static EventsSentinel start() {
    KermesSentinel started = KermesSentinel.start(1, 3);
    List<InetSocketAddress> sentinels =
        started.sentinels().stream().map(KermesSentinel.Node::address).toList();
    Deployment.Sentinel known =
        new Deployment.Sentinel(started.masterName(), sentinels, null, null);
    return new EventsSentinel(started.url(), known, started);
  }

  @Override
  public Set<EventsTorture.Fault> faults() {
    Set<EventsTorture.Fault> all = EnumSet.of(EventsTorture.Fault.FAILOVER);
    if (ours != null) all.add(EventsTorture.Fault.CRASH);
    return all;
  }

  @Override
  public boolean hasReplicas() {
    return true;
  }

  @Override
  public List<String> masters() {
    List<?> address =
        (List<?>) Objects.requireNonNull(ask("GET-MASTER-ADDR-BY-NAME", deployment.master()));
    return List.of("redis://" + address.get(0) + ":" + address.get(1));
  }

  private @Nullable Object ask(String... arguments) {
    InetSocketAddress sentinel = deployment.sentinels().getFirst();
    String address = "redis://" + sentinel.getHostString() + ":" + sentinel.getPort();
    return EventsServers.call(address, "SENTINEL", arguments);
  }

  @Override
  public void run(EventsTorture.Fault fault, Random random) {
    if (fault == EventsTorture.Fault.CRASH && ours != null) {
      KermesSentinel.Node master = ours.master();
      ours.kill(master);
      EventsServers.await("master replaced", () -> ours.master() != master);
      KermesSentinel.Node unused = ours.awaitMaster();
      ours.restart(master);
    } else {
      List<String> before = masters();
      Object unused = ask("FAILOVER", deployment.master());
      EventsServers.await("failed over", () -> !masters().equals(before));
    }
  }

  @Override
  public void close() {
    if (ours != null) ours.close();
  }
}
