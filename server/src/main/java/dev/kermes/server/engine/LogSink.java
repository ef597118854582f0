package dev.kermes.server.engine;

/** A reader of the {@link WriteLog}: a file, replicas. Called with the floor; must not wait. */
public interface LogSink {

  /** Whether it wants messages that are published, too, which change no data. */
  boolean takesMessages();

  /**
   * One execution unit as a request stream: one command, or several between MULTI and EXEC, with
   * SELECT where the database changes. The array is used again afterwards.
   */
  void append(byte[] bytes, int offset, int length);
}
