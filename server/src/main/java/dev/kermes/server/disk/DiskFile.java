package dev.kermes.server.disk;

import java.io.Closeable;
import java.io.IOException;

/** A file that is written at its end. */
public interface DiskFile extends Closeable {

  long size() throws IOException;

  /** Writes all of it; after an error some of it may have been written. */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /** Brings to the disk what was written. */
  void sync() throws IOException;

  /** Cuts it to that length. */
  void truncate(long length) throws IOException;
}
