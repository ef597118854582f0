package dev.kermes.server.execution;

import dev.kermes.server.client.ClientConnection;

/**
 * A connection for a session without one; it drops all output.
 *
 * @param peerAddress the address that MONITOR shows
 */
public record NoConnection(String peerAddress) implements ClientConnection {

  @Override
  public void wake() {}

  @Override
  public void closeSoon() {}

  @Override
  public String localAddress() {
    return peerAddress;
  }

  @Override
  public boolean isFromThisMachine() {
    return true;
  }

  @Override
  public long unreadBytes() {
    return 0;
  }

  @Override
  public long inputBufferBytes() {
    return 0;
  }

  @Override
  public long pendingBytes() {
    return 0;
  }
}
