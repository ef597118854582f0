package dev.kermes.client;

/** A command on its way whose result goes to a {@link ReplySink}. */
public interface SentCommand {
  /**
   * Gives up waiting: the sink is not called any more. What was not written yet will not be.
   *
   * @return false when the sink has been called already
   */
  boolean cancel();
}
