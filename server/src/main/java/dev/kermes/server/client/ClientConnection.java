package dev.kermes.server.client;

/** The connection behind a session, as the engine sees it. Any thread. */
public interface ClientConnection {

  /** Asks the loop to serve the session soon: it has messages, or may continue. */
  void wake();

  /** Closes the connection after the pending output. */
  void closeSoon();

  /** {@code ip:port} of the peer. */
  String peerAddress();

  /** The address of the peer without its port, and without the brackets of IPv6. */
  default String peerIp() {
    String peer = peerAddress();
    String host = peer.substring(0, Math.max(0, peer.lastIndexOf(':')));
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** {@code ip:port} of the local end. */
  String localAddress();

  /** Whether the peer is on this machine: the loopback address, a unix socket, or this JVM. */
  boolean isFromThisMachine();

  /** Bytes of waiting input, without the complete arguments of an incomplete command. */
  long unreadBytes();

  /** The size of the buffer that holds the waiting input. */
  long inputBufferBytes();

  /** Bytes of pending output. */
  long pendingBytes();
}
