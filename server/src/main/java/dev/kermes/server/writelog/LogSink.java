package dev.kermes.server.writelog;

/**
 * A reader of the {@link WriteLog}: a file, replicas. Called with the keyspace lock; must not wait.
 */
public interface LogSink {

  /** A file. */
  int FILE = 1;

  /** Replicas; messages that are published, which change no data, are for them alone. */
  int REPLICAS = 2;

  int ALL = FILE | REPLICAS;

  /** Which of the two it is. */
  int audience();

  /**
   * One execution unit as a request stream: one command, or several between MULTI and EXEC, with
   * SELECT where the database changes. The array is used again afterwards.
   */
  void append(byte[] bytes, int offset, int length);
}
