package dev.kermes.net;

import io.netty.channel.ChannelPromise;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import org.jspecify.annotations.Nullable;

/**
 * Accepts in-VM connections whose two event loops do not end before both ends are closed: an end
 * that is closed says so on the loop of the other. Nor does the loop of the connecting end close it
 * before this side knows of it, for accepting would open it again.
 */
public final class InVmServerChannel extends LocalServerChannel {

  /** For Netty, which makes it by reflection. */
  public InVmServerChannel() {}

  /** On the event loop of {@code peer}. */
  @Override
  protected LocalChannel newLocalChannel(LocalChannel peer) {
    LendableLoop theirs = peer.eventLoop() instanceof LendableLoop lendable ? lendable : null;
    Accepted accepted = new Accepted(this, peer, theirs);
    if (eventLoop() instanceof Loops.Loop ours) ours.outlive(peer);
    if (theirs != null) theirs.connects(accepted);
    return accepted;
  }

  private static final class Accepted extends LocalChannel {
    private final @Nullable LendableLoop theirs;

    Accepted(InVmServerChannel parent, LocalChannel peer, @Nullable LendableLoop theirs) {
      super(parent, peer);
      this.theirs = theirs;
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
      super.doRegister(promise);
      if (theirs != null) promise.addListener(done -> theirs.connected());
    }
  }
}
