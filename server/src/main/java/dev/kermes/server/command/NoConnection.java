package dev.kermes.server.command;

import dev.kermes.server.engine.ClientConnection;

/**
 * What sessions have that have no connection: what is sent goes nowhere.
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
