package dev.kermes.client;

/** The server of a shard that answers commands that only read. */
public enum ReadFrom {
  /** The master: reads see the latest writes. */
  MASTER,
  /** The connected replicas in rotation; the master while there is none. Reads may be stale. */
  PREFER_REPLICA,
  /** All connected servers of the shard in rotation. Reads may be stale. */
  ANY
}
