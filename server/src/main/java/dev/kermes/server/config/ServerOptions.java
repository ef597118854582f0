package dev.kermes.server.config;

import dev.kermes.server.config.ShutdownMode.Words;

/** The options for the process of the server: its start, its periodic work and its end. */
public final class ServerOptions extends OptionFamily {

  /** Whether the program is to run in the background; this class only stores the option. */
  final FlagOption daemonize =
      option("daemonize").atStart().means("The program runs in the background.").yesNo(false);

  final ValueOption<String> pidFile =
      option("pidfile")
          .atStart()
          .means("The file to which the program writes its process id; empty for none.")
          .text("");

  public final NumberOption hz =
      option("hz")
          .means("The number of times per second at which the periodic work runs.")
          .number(1, 500, 10);

  public final NumberOption shutdownTimeoutSeconds =
      option("shutdown-timeout")
          .in("seconds")
          .means("The longest time that a shutdown waits for replicas that lag behind.")
          .number(0, Integer.MAX_VALUE, 10);

  public final ValueOption<ShutdownMode> shutdownOnInterrupt =
      option("shutdown-on-sigint")
          .means("The way in which SIGINT ends the server, in the words of SHUTDOWN.")
          .value(new Words(), ShutdownMode.DEFAULT);

  public final ValueOption<ShutdownMode> shutdownOnTerm =
      option("shutdown-on-sigterm")
          .means("The way in which SIGTERM ends the server, in the words of SHUTDOWN.")
          .value(new Words(), ShutdownMode.DEFAULT);

  /** The release of Redis that is announced to clients, scripts and readers of RDB files. */
  public final ValueOption<Release> announcedRelease =
      option("announce-redis-version")
          .atStartOrSame()
          .means("The release of Redis that clients, scripts and RDB files are told.")
          .unlikeRedis("Not in Redis.")
          .value(new Release.Number(), Release.OURS);

  ServerOptions() {
    super("The process");
  }
}
