package dev.kermes.server.engine;

import java.util.ArrayList;
import java.util.List;

/** Commands queued between MULTI and EXEC. */
public final class Transaction {

  private final List<StoredCommand> commands = new ArrayList<>();
  private boolean failed;

  public void add(StoredCommand command) {
    commands.add(command);
  }

  public List<StoredCommand> commands() {
    return commands;
  }

  /** A command was refused when it was queued: EXEC will abort. */
  public void fail() {
    failed = true;
  }

  public boolean hasFailed() {
    return failed;
  }
}
