package dev.kermes.server.engine;

/** How the server takes part in replication, as replica and as master. */
public final class ReplicationOptions {

  /** The master at the start, {@code host port}; empty if it is one itself. */
  public String master = "";

  // As a replica

  public String masterUser = "";
  public String masterAuth = "";
  public boolean isReadOnly = true;
  public boolean servesStaleData = true;
  public boolean ignoresMaxmemory = true;
  public int priority = 100;
  public String announcedIp = "";
  public int announcedPort;
  public boolean isAnnounced = true;
  public String disklessLoad = "disabled";

  /** The address that it connects from; empty for any. */
  public String sourceAddress = "";

  /** What to do if a command of the stream fails: {@code ignore}, or end. */
  public String errorBehavior = "ignore";

  // As a master

  public long backlogBytes = 1 << 20;
  public int backlogTtlSeconds = 3600;
  public int pingPeriodSeconds = 10;
  public boolean isDiskless = true;
  public int syncDelaySeconds = 5;
  public int syncReplicasMax;
  public int replicasMin;
  public int lagSecondsMax = 10;

  // As both

  public int timeoutSeconds = 60;
  public boolean delaysSmallPackets;

  ReplicationOptions() {}
}
