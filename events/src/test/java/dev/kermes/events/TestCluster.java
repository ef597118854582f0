package dev.kermes.events;

import dev.kermes.testkit.KermesCluster;

/** A cluster of three masters with a replica each, whose servers send all keyspace events. */
interface TestCluster extends AutoCloseable {

  /** The kinds. */
  enum Kind {
    /** Our servers, in this JVM. */
    KERMES {
      @Override
      TestCluster start() {
        return new InThisJvm(
            KermesCluster.builder()
                .masters(3)
                .replicas(1)
                .option("notify-keyspace-events", "KEA")
                .start());
      }
    },
    /** Processes of the machine's Redis or Valkey. */
    REAL {
      @Override
      TestCluster start() {
        return RealCluster.start();
      }
    };

    abstract TestCluster start();
  }

  String url();

  /** Ends the master of a key's slot; its replica takes over. */
  void killMasterOf(String key);

  /** Makes the replica of a key's slot its master, which stays as the new one's replica. */
  void failOver(String key);

  @Override
  void close();

  /** Servers of ours. */
  record InThisJvm(KermesCluster cluster) implements TestCluster {

    @Override
    public String url() {
      return cluster.url();
    }

    @Override
    public void killMasterOf(String key) {
      cluster.kill(cluster.masterOf(KermesCluster.slot(key)));
    }

    @Override
    public void failOver(String key) {
      KermesCluster.Node master = cluster.masterOf(KermesCluster.slot(key));
      cluster.failover(cluster.replicasOf(master).getFirst());
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
