package dev.kermes.server.writelog;

/**
 * A reader of the {@link WriteLog}: a file, replicas. Called with the keyspace lock; must not wait.
 */
public interface LogSink {

  /** The audience of a file. */
  int FILE = 1;

  /**
   * The audience of replicas, which alone receive published messages, since those change no data.
   */
  int REPLICAS = 2;

  int ALL = FILE | REPLICAS;

  /** The audience that the reader belongs to. */
  int audience();

  /**
   * Receives one execution unit as a request stream: one command, or several between MULTI and
   * EXEC, with SELECT where the database changes. The array is reused afterwards.
   */
  void append(byte[] bytes, int offset, int length);
}
