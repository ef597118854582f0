package dev.kermes.server.node;

/**
 * The server of a {@link ServerNode}, as the other nodes reach it. Any thread; a method returns at
 * once and the server acts soon, unless it says that it waits.
 */
public interface NodeServer {

  /**
   * The progress of replication.
   *
   * @param count of the times that it was noted, this one included
   * @param offset of the server's data in the replication stream
   * @param isInSync whether it is a master, or has its master's data
   */
  record Progress(long count, long offset, boolean isInSync) {}

  /** The id of this run of the server, 40 hexadecimal digits. */
  String runId();

  /** The option {@code replica-priority}. */
  int priority();

  /** Makes the server do what its node says now: its role, its slots, its blocked clients. */
  void follow();

  /** Delivers a message to the subscribers of this server. */
  void deliver(byte[] channel, byte[] message, boolean isSharded);

  /**
   * Closes the connections of clients, replicas and the master excepted, so that they look anew.
   */
  void disconnectClients();

  /** Makes a replica of this server the master instead, once it is up to date. */
  void handOver(ServerNode replica);

  /** Makes this server, a replica, the master at once. */
  void takeOver();

  /** Its progress now. Waits for the keyspace lock, which the caller may not hold. */
  Progress progress();

  /** Its progress at most a tenth of a second ago. */
  Progress recent();

  /** Whether it has no data until a full sync ends. */
  boolean isLoading();

  /** Notes its progress anew. */
  void refresh();

  /** Stops the server where it stands, as a suspended process; waits until it does. */
  void freeze();

  /** Lets a frozen server continue. */
  void thaw();
}
