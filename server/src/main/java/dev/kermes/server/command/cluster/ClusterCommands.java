package dev.kermes.server.command.cluster;

import dev.kermes.server.command.Call;

/** Commands for nodes of a cluster; this server is not one. */
public final class ClusterCommands {

  /** The reply of a Redis with {@code cluster-enabled no}, by which tools recognise it. */
  public static final String DISABLED = "ERR This instance has cluster support disabled";

  private ClusterCommands() {}

  /** ASKING, CLUSTER subcommand: refused. */
  public static void refuse(Call call) {
    call.error(DISABLED);
  }
}
