package dev.kermes.client;

/** Which server of a shard answers commands that only read. */
public enum ReadFrom {
  /** The master: what was written is seen. */
  MASTER,
  /** A connected replica, in turn; the master while there is none. Reads may be stale. */
  PREFER_REPLICA,
  /** All connected servers of the shard, in turn. Reads may be stale. */
  ANY
}
