package dev.kermes.server.config;

/** The options for sockets and event loops. */
public final class NetworkOptions extends OptionFamily {

  /** Half the cores: the kernel and the clients on this machine need the others. Decision 1. */
  private static final int LOOPS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  public final ValueOption<String> bind =
      option("bind")
          .means(
              "The addresses to listen on. `-` before an address: its absence is not an error. `*`:"
                  + " all addresses.")
          .unlikeRedis(
              "Redis's default without a configuration file is `* -::*`; so is that of"
                  + " `bin/redis-server`.")
          .text("127.0.0.1 -::1");

  public final NumberOption port =
      option("port")
          .means("The TCP port.")
          .unlikeRedis("0 takes a free port, except with `unixsocket` or `tls-port`: then no port.")
          .number(0, 65_535, 6379);

  public final FlagOption protectedMode =
      option("protected-mode")
          .means("Clients of other machines are refused while the default user has no password.")
          .yesNo(true);

  public final ValueOption<String> unixSocket =
      option("unixsocket")
          .atStart()
          .means("The path of a unix socket to listen on; empty for none.")
          .text("");

  public final ValueOption<String> unixSocketMode =
      option("unixsocketperm")
          .atStart()
          .means("The access rights of the unix socket in octal digits; 0 for the process's own.")
          .text("0");

  public final ValueOption<String> unixSocketGroup =
      option("unixsocketgroup")
          .means("The group of a new unix socket; empty for that of the process.")
          .text("");

  public final NumberOption backlog =
      option("tcp-backlog")
          .atStart()
          .means("The number of connections that the kernel keeps until they are accepted.")
          .number(0, 65_535, 511);

  public final NumberOption keepAliveSeconds =
      option("tcp-keepalive")
          .in("seconds")
          .means("The kernel checks silent connections; 0 turns the check off.")
          .unlikeRedis("The interval is that of the kernel, whatever the number.")
          .number(0, Integer.MAX_VALUE, 300);

  public final NumberOption loops =
      option("loops")
          .atStartOrSame()
          .means("The number of event loops, each of which is a thread.")
          .unlikeRedis("Not in Redis, whose `io-threads` has no effect here.")
          .shownDefault("half of the processors")
          .number(1, 1024, LOOPS);

  public final ValueOption<String> transport =
      option("transport")
          .atStartOrSame()
          .means("The access to sockets: `auto`, `nio`, `epoll` or `io_uring`.")
          .unlikeRedis("Not in Redis.")
          .text("auto");

  NetworkOptions() {
    super("Network");
  }
}
