package dev.kermes.server.config;

/** The options for client connections and their limits. */
public final class ClientOptions extends OptionFamily {

  private static final int MAX = Integer.MAX_VALUE;

  public final NumberOption max =
      option("maxclients").means("The largest number of clients.").number(1, MAX, 10_000);

  public final NumberOption timeoutSeconds =
      option("timeout")
          .in("seconds")
          .means("A client that has been idle for this time is closed; 0 for never.")
          .number(0, MAX, 0);

  public final ValueOption<OutputLimits> outputLimits =
      option("client-output-buffer-limit")
          .means(
              "The unread output at which a client is closed, per class of clients (`normal`,"
                  + " `replica`, `pubsub`): at once beyond the hard limit, or after some seconds"
                  + " beyond the soft limit; 0 for no limit.")
          .value(new OutputLimits.Words(), OutputLimits.DEFAULT);

  public final NumberOption queryMax =
      option("client-query-buffer-limit")
          .means("The largest input of a client that is not yet a command.")
          .memory(1 << 20, Long.MAX_VALUE, 1L << 30);

  public final NumberOption bulkLengthMax =
      option("proto-max-bulk-len")
          .means("The largest length of one argument, and of a string.")
          .memory(1 << 20, MAX, 512L << 20);

  public final NumberOption trackedKeysMax =
      option("tracking-table-max-keys")
          .means(
              "The number of keys tracked for client-side caching above which the server forgets"
                  + " some; 0 for no limit.")
          .number(0, MAX, 1_000_000);

  /** The protocol that connections begin with. */
  public final NumberOption protocol =
      option("client-default-resp")
          .atStart()
          .forTests()
          .means("The version of RESP that connections begin with.")
          .unlikeRedis("Not in Redis.")
          .number(2, 3, 2);

  /** The location of the server, for clients that prefer a near one. */
  public final ValueOption<String> availabilityZone =
      option("availability-zone")
          .means("The location of the server, for clients that prefer a near server.")
          .unlikeRedis("From Valkey.")
          .text("");

  ClientOptions() {
    super("Clients");
  }
}
