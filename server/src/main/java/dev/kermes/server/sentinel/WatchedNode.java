package dev.kermes.server.sentinel;

import dev.kermes.server.node.ServerNode;
import org.jspecify.annotations.Nullable;

/** The place of a server that sentinels watch. Any thread; the group sets its master. */
public final class WatchedNode extends ServerNode {

  private final SentinelGroup group;

  // Changed under the monitor of the group.
  volatile @Nullable WatchedNode master;

  WatchedNode(SentinelGroup group, @Nullable WatchedNode master) {
    this.group = group;
    this.master = master;
  }

  @Override
  public @Nullable WatchedNode master() {
    return master;
  }

  @Override
  public void promoted() {
    group.promoted(this);
  }

  @Override
  public String toString() {
    return "server at " + host() + ":" + port();
  }
}
