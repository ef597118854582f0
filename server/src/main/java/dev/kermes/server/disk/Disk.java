package dev.kermes.server.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** The file system operations of a server. Any thread. */
public interface Disk {

  /** The machine's own disk. */
  Disk REAL = new RealDisk();

  /** Opens a file for appending, creating it if it is missing. */
  DiskFile open(Path file) throws IOException;

  /** Opens a file for reading from its start. */
  InputStream read(Path file) throws IOException;

  /** Renames a file atomically, replacing any existing target. */
  void move(Path from, Path to) throws IOException;

  /** Deletes a file if it exists. */
  void delete(Path file) throws IOException;

  /** Creates a folder if it is missing. */
  void createFolder(Path folder) throws IOException;

  /** Syncs the names of the files in a folder. */
  void syncFolder(Path folder) throws IOException;
}
