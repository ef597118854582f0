package dev.kermes.server.config;

/** The options for the databases and their events. */
public final class KeyspaceOptions extends OptionFamily {

  public final NumberOption databases =
      option("databases").atStart().means("The number of databases.").number(1, 10_000, 16);

  /** The bits of {@link KeyspaceEvent}. */
  public final NumberOption notifications =
      option("notify-keyspace-events")
          .means("The events that are published, one letter for each class; empty for none.")
          .number(new KeyspaceEvent.Letters(), 0);

  /** Whether another server's data are being imported: nothing expires or is evicted. */
  public final FlagOption importMode =
      option("import-mode")
          .means("Another server's data are being imported: nothing expires or is evicted.")
          .unlikeRedis("From Valkey.")
          .yesNo(false);

  KeyspaceOptions() {
    super("Databases");
  }
}
