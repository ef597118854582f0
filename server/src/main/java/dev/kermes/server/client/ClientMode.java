package dev.kermes.server.client;

/** The ways of treating a client that the client itself has asked for. */
public enum ClientMode {
  /** Is not closed when clients hold too much memory: CLIENT NO-EVICT. */
  NO_EVICT,
  /** Its reads do not count for eviction: CLIENT NO-TOUCH. */
  NO_TOUCH,
  /** Imports another server's data, see import-mode: CLIENT IMPORT-SOURCE. */
  IMPORT_SOURCE,
  /** Handles redirects: CLIENT CAPA. */
  REDIRECTS,
  /** Reads may be served by a replica: READONLY. */
  READS_REPLICAS,
  /** Its next command may use a slot that is coming to this node: ASKING. */
  ASKS;

  /** A set of modes with this one added or removed. */
  int in(int bits, boolean isOn) {
    return isOn ? bits | bit() : bits & ~bit();
  }

  boolean isIn(int bits) {
    return (bits & bit()) != 0;
  }

  @SuppressWarnings("EnumOrdinal") // never stored, only used within the process
  private int bit() {
    return 1 << ordinal();
  }
}
