package dev.kermes.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Accepts in-VM connections and keeps the event loops of both ends alive until both ends are
 * closed, because an end that is closed notifies the other end on the other end's loop. The
 * connecting end's loop also does not close its end before this side has registered its own,
 * because accepting would open it again.
 */
public final class InVmServerChannel extends LocalServerChannel {

  /** Called by Netty through reflection. */
  public InVmServerChannel() {}

  /** On the event loop of {@code peer}. */
  @Override
  protected LocalChannel newLocalChannel(LocalChannel peer) {
    LendableLoop theirs = peer.eventLoop() instanceof LendableLoop lendable ? lendable : null;
    Accepted accepted = new Accepted(this, peer, theirs);
    if (eventLoop() instanceof Loops.Loop ours) ours.outlive(peer);
    if (theirs != null) theirs.onConnecting(accepted);
    return accepted;
  }

  /**
   * Runs {@code action} when {@code end} is closed and the task that closed it is over: where a
   * failed write closes the channel, Netty still finishes the write on the other end's loop.
   */
  static void afterClose(Channel end, Runnable action) {
    end.closeFuture()
        .addListener(closed -> {
          try {
            end.eventLoop().execute(action);
          } catch (RejectedExecutionException e) {
            action.run(); // its loop has ended, and runs no task any more
          }
        });
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
      if (theirs != null) promise.addListener(done -> theirs.onConnected());
    }
  }
}
