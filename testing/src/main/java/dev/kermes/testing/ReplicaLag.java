package dev.kermes.testing;

import java.io.IOException;

/** How far a replica is behind its master. */
public final class ReplicaLag {

  private ReplicaLag() {}

  /** Waits until a replica has all that a master has written so far. */
  public static void awaitNone(RespSocket master, RespSocket replica) throws IOException {
    replica.awaitInfo("master_link_status:up");
    String offset = Fact.of(master, "master_repl_offset");
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (Long.parseLong(Fact.of(replica, "slave_repl_offset")) < Long.parseLong(offset)) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the replica does not catch up: offset=" + offset);
      }
    }
  }
}
