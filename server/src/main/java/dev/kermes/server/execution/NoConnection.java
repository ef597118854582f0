package dev.kermes.server.execution;

import dev.kermes.server.client.ClientConnection;

/**
 * The connection of a session that has none: it drops everything that is sent.
 *
 * @param peerAddress as MONITOR shows it
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
