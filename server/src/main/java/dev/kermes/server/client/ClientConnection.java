package dev.kermes.server.client;

/** The connection behind a session, as the engine sees it. Any thread. */
public interface ClientConnection {

  /** Asks the loop to look at the session soon: it has messages, or may continue. */
  void wake();

  /** Closes the connection after what is already on its way. */
  void closeSoon();

  /** {@code ip:port} of the peer. */
  String peerAddress();

  /** {@code ip:port} of our end. */
  String localAddress();

  /** Whether the peer is on this machine: the loopback address, a unix socket, this JVM. */
  boolean isFromThisMachine();

  /** Bytes of input that wait, without the whole arguments of a command that is not. */
  long unreadBytes();

  /** Bytes of the buffer in which that input waits. */
  long inputBufferBytes();

  /** Bytes that wait to be written. */
  long pendingBytes();
}
