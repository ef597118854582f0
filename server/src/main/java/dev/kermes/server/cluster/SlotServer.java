package dev.kermes.server.cluster;

import dev.kermes.server.node.NodeServer;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The server of a {@link ClusterNode}, as moves of slots reach it. Any thread. */
public interface SlotServer extends NodeServer {

  /**
   * A key with its value.
   *
   * @param dump the value in the format of DUMP
   * @param expireAtMillis Unix time, as the keyspace notes it
   */
  record SlotKey(byte[] key, byte[] dump, long expireAtMillis) {}

  /** Holds back writes, and returns the keys of slots. Waits for the keyspace lock. */
  List<SlotKey> handOut(BitSet slots);

  /**
   * Takes keys in, if the condition holds, which is asked with the keyspace lock. Waits for that
   * lock.
   */
  void takeIn(List<SlotKey> keys, BooleanSupplier condition);

  /** Lets writes continue after {@link #handOut}. */
  void continueWrites();
}
