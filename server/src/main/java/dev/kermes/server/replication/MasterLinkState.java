package dev.kermes.server.replication;

/** The state of a replica's link to its master; the texts are those of ROLE. */
public enum MasterLinkState {
  CONNECT,
  CONNECTING,
  HANDSHAKE,
  SYNC,
  CONNECTED
}
