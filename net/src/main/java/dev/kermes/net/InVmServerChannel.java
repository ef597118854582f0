package dev.kermes.net;

import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;

/**
 * Accepts in-VM connections whose two event loops do not end before both ends are closed: an end
 * that is closed says so on the loop of the other.
 */
public final class InVmServerChannel extends LocalServerChannel {

  /** For Netty, which makes it by reflection. */
  public InVmServerChannel() {}

  /** On the event loop of {@code peer}. */
  @Override
  protected LocalChannel newLocalChannel(LocalChannel peer) {
    LocalChannel accepted = super.newLocalChannel(peer);
    if (eventLoop() instanceof Loops.Loop ours) ours.outlive(peer);
    if (peer.eventLoop() instanceof LendableLoop theirs) theirs.outlive(accepted);
    return accepted;
  }
}
