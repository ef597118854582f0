package dev.kermes.server.disk;

import java.io.Closeable;
import java.io.IOException;

/** A file that is written only at its end. */
public interface DiskFile extends Closeable {

  /** The length of the file in bytes. */
  long size() throws IOException;

  /** Writes all bytes; after an error some of them may have been written. */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /** Syncs everything written so far to the disk. */
  void sync() throws IOException;

  /** Cuts the file to that length. */
  void truncate(long length) throws IOException;
}
