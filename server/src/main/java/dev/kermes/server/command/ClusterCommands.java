package dev.kermes.server.command;

/** Commands for the nodes of a cluster, which this server is none of. */
final class ClusterCommands {

  /** What a Redis says that has {@code cluster-enabled no}; tools know it by that. */
  static final String DISABLED = "ERR This instance has cluster support disabled";

  private ClusterCommands() {}

  /** ASKING, CLUSTER subcommand: refused. */
  static void refuse(Call call) {
    call.error(DISABLED);
  }
}
