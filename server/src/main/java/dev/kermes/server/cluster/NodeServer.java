package dev.kermes.server.cluster;

/**
 * The server of a {@link ClusterNode}, as the topology and the other nodes reach it. Any thread; a
 * method returns at once and the server acts soon, unless it says that it waits.
 */
public interface NodeServer {

  /**
   * The progress of replication.
   *
   * @param offset of the server's data in the replication stream
   * @param isInSync whether it is a master, or has its master's data
   */
  record Progress(long offset, boolean isInSync) {}

  /** Makes the server do what the topology says now: its role, its slots, its blocked clients. */
  void follow();

  /** Delivers a message that another node published. */
  void deliver(byte[] channel, byte[] message, boolean isSharded);

  /** Makes a replica of this server the master of its slots, once it is up to date. */
  void handOver(ClusterNode replica);

  /** Makes this server, a replica, the master at once. */
  void takeOver();

  /** Its progress now. Waits for the keyspace lock, which the caller may not hold. */
  Progress progress();

  /** Its progress at most a tenth of a second ago. */
  Progress recent();

  /** Stops the server where it stands, as a suspended process; waits until it does. */
  void freeze();

  /** Lets a frozen server continue. */
  void thaw();
}
