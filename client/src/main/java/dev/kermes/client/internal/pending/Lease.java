package dev.kermes.client.internal.pending;

/**
 * A connection that a pending command has to itself until its last reply. Giving the command up
 * closes the connection, so that the server stops working on it.
 */
public interface Lease extends PendingCommand.Claim {
  /** Returns the connection for the next borrower. Any thread. */
  void giveBack();

  /** Closes the connection; the replies that are under way on it are no longer wanted. */
  void discard();
}
