package dev.kermes.server.client;

/** A replica behind a {@link Session}, as far as the session has to know. Any thread. */
public interface ReplicaRole {

  /** Whether the replica has asked for the data. */
  boolean isReplica();
}
