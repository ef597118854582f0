package dev.kermes.server.keyspace;

/**
 * A reason why a command cannot simply run: it may be refused, it waits, or it is observed. The
 * class that knows the fact sets it, whenever the fact changes.
 */
public enum Restriction {
  // Of the server; see Restrictions.

  /** There is a maxmemory. */
  MAXMEMORY,
  /** The heap has no room for more data. */
  HEAP_FULL,
  /** Writes need a number of good replicas. */
  MIN_REPLICAS,
  /** The server follows a master. */
  REPLICA,
  /** The data are being loaded. */
  LOADING,
  /** Another server's data are being imported. */
  IMPORT,
  /** Commands are held back, or clients that were held back go first. */
  PAUSE,
  /** A script takes too long. */
  BUSY_SCRIPT,
  /** The append only file cannot be written. */
  AOF_ERROR,
  /** The RDB file could not be saved. */
  SAVE_ERROR,
  /** Clients see every command: MONITOR. */
  MONITOR,
  /** Clients cache keys. */
  TRACKING,
  /** The cost of keys is recorded: HOTKEYS. */
  HOT_KEYS,
  /** Each command is timed. */
  TIMES,
  /** Requests or replies are weighed. */
  SIZES,
  /** The server is a node of a cluster, which serves the keys of some slots only. */
  CLUSTER,

  // Of a client; see Session.

  /** The client has not logged in. */
  LOGIN,
  /** The rules of its user forbid something. */
  USER,
  /** It has sent MULTI. */
  TRANSACTION,
  /** It does not want replies: CLIENT REPLY. */
  NO_REPLIES,
  /** It is a replica. */
  REPLICA_LINK,
  /** It has subscriptions. */
  SUBSCRIBER;

  /** A set of restrictions with this one added or removed. */
  @SuppressWarnings("EnumOrdinal") // never stored, only used within the process
  public int in(int bits, boolean isOn) {
    int bit = 1 << ordinal();
    return isOn ? bits | bit : bits & ~bit;
  }
}
