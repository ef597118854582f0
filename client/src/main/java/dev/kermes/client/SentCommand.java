package dev.kermes.client;

/** A command on its way whose result goes to a {@link ReplySink}. */
public interface SentCommand {
  /**
   * Cancels the command: the sink is no longer called. A command that has not been written yet will
   * not be sent.
   *
   * @return false if the sink has already been called
   */
  boolean cancel();
}
