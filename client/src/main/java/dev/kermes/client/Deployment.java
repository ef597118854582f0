package dev.kermes.client;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arrangement of the servers behind a client. Immutable. */
public sealed interface Deployment {
  /** One server. */
  record Single() implements Deployment {}

  /**
   * A cluster.
   *
   * @param seeds the servers to ask first; one that answers is enough
   */
  record Cluster(List<InetSocketAddress> seeds) implements Deployment {
    /** Copies the list. */
    public Cluster {
      seeds = List.copyOf(seeds);
    }
  }

  /**
   * A master with replicas, monitored by sentinels.
   *
   * @param master the name of the master in the sentinels' configuration
   * @param sentinels the sentinels to ask first; one that answers is enough
   * @param user the ACL user for the sentinels, or null for the default one
   * @param password the sentinels' password, or null for none
   */
  record Sentinel(
      String master,
      List<InetSocketAddress> sentinels,
      @Nullable String user,
      @Nullable String password)
      implements Deployment {
    /** Copies the list. */
    public Sentinel {
      sentinels = List.copyOf(sentinels);
    }

    /** Leaves out the password. */
    @Override
    public String toString() {
      return "Sentinel[" + master + ", sentinels=" + sentinels + "]";
    }
  }
}
