package dev.kermes.server.client;

import java.util.ArrayList;
import java.util.List;

/** Commands queued between MULTI and EXEC. */
public final class Transaction {

  private final List<StoredCommand> commands = new ArrayList<>();
  private boolean failed;
  private long bytes;
  private int database;

  Transaction(int database) {
    this.database = database;
  }

  /** The database that will be selected for the next queued command. */
  public int database() {
    return database;
  }

  public void database(int selected) {
    database = selected;
  }

  public void add(StoredCommand command) {
    commands.add(command);
    bytes += command.bytes().length;
  }

  /** Bytes of the queued arguments. */
  public long bytes() {
    return bytes;
  }

  public List<StoredCommand> commands() {
    return commands;
  }

  /** Notes that a command was refused while queueing, so that EXEC will abort. */
  public void fail() {
    failed = true;
  }

  public boolean hasFailed() {
    return failed;
  }
}
