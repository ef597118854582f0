package dev.kermes.server.client;

/** The replica behind a {@link Session}, as far as the session needs to know it. Any thread. */
public interface ReplicaRole {

  /** Whether the replica has asked for the data. */
  boolean isReplica();
}
